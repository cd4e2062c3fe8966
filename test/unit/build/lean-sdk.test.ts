import { globSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { handledErrors, regionalHosts, replacements } from "../../../lib/build/plugins/lean-sdk.ts";
import { defaultProvider } from "../../../lib/runtime/aws/environment-credentials.ts";
import { regionalEndpoint } from "../../../lib/runtime/aws/regional-endpoint.ts";

const REGIONS = ["us-east-1", "us-west-2", "eu-central-1", "ap-southeast-2", "sa-east-1", "cn-north-1"];

describe("the endpoint of a service", () => {
  test.each(Object.entries(regionalHosts))("%s is the one of the SDK in every partition", async (client, host) => {
    const resolver = `../../../node_modules/@aws-sdk/client-${client}/dist-es/endpoint/endpointResolver.js`;
    const { defaultEndpointResolver } = await import(/* @vite-ignore */ resolver);
    for (const Region of REGIONS) {
      const parameters = { Region, UseFIPS: false, UseDualStack: false };
      const { url, properties = {} } = defaultEndpointResolver(parameters);
      expect(regionalEndpoint(host)(parameters).url.href).toBe(url.href);
      expect(properties).toEqual({});
    }
    const local = { Region: "us-east-1", Endpoint: "http://127.0.0.1:4566", UseFIPS: false, UseDualStack: false };
    expect(regionalEndpoint(host)(local).url.href).toBe(defaultEndpointResolver(local).url.href);
  });

  test.each([{ Region: "us-gov-west-1" }, { Region: "" }, { Region: "eu-west-1", UseFIPS: true }])(
    "is refused where the deployment does not cover it: %o",
    (parameters) => {
      expect(() => regionalEndpoint("dynamodb")(parameters)).toThrow(/functions (know|use)/);
    },
  );
});

describe("credentials", () => {
  afterEach(() => vi.unstubAllEnvs());

  test("come from the environment at each resolution", async () => {
    const provide = defaultProvider();
    vi.stubEnv("AWS_ACCESS_KEY_ID", "first");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_SESSION_TOKEN", "token");
    expect(await provide()).toEqual({ accessKeyId: "first", secretAccessKey: "secret", sessionToken: "token" });
    vi.stubEnv("AWS_ACCESS_KEY_ID", "second");
    vi.stubEnv("AWS_SESSION_TOKEN", undefined);
    expect(await provide()).toEqual({ accessKeyId: "second", secretAccessKey: "secret" });
  });

  test("are missing with an error that says so", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    await expect(defaultProvider()()).rejects.toThrow("no AWS credentials");
  });
});

test("every replacement finds its module in the installed packages", () => {
  const modules = globSync("node_modules/{@aws-sdk,@smithy,zod}/**/*.{js,json}", {
    exclude: ["**/dist-types/**", "**/dist-cjs/**"],
  }).map((path) => path.replace(/\.js$/, ""));
  const unused = replacements.filter(({ module }) => !modules.some((path) => module.test(path)));
  expect(unused.map(({ module }) => module.source)).toEqual([]);
});

test("every error class of the SDK that code names stays registered", () => {
  const sources = globSync("{lib,functions}/**/*.ts", { exclude: ["lib/{build,local,start}/**"] });
  const imports = sources.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/import \{([^}]*)\} from "@aws-sdk\/client-[\w-]+"/g),
  ]);
  const named = imports.flatMap(
    ([, list = ""]) => list.match(/\b\w+(?:Exception|NotFound|NoSuch\w+|Exists?)\b/g) ?? [],
  );
  expect(new Set(named)).toEqual(new Set(handledErrors));
});
