import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { prepareModule } from "./source-modules.ts";

/** A module of a package that functions get in another form. */
interface Replacement {
  /** The end of the module's path below node_modules, without its extension. */
  readonly module: RegExp;
  /** Whether the other form deliberately lacks exports. */
  readonly isPartial?: true;
  /** Returns the other form of a module. */
  readonly rewrite: (text: string, path: string) => string;
}

const own = (file: string) => JSON.stringify(resolve(file));

/** A function that throws: deployed functions lack what it needs. */
const refusal = (lacking: string) => `() => { throw new Error("functions contain no ${lacking}"); }`;
/** A class whose instances cannot be made, for the same reason. */
const refusingClass = (name: string) =>
  `export class ${name} { constructor() { throw new Error("functions contain no ${name}"); } }`;

/** Names that a module exports. */
function exportedNames(text: string): string[] {
  const declared = text.matchAll(/^\s*export (?:const|function|class|async function) (\w+)/gm);
  const listed = text.matchAll(/^\s*export \{([^}]*)\}/gm);
  const names = [...listed].flatMap(([, list = ""]) =>
    list.split(",").map((one) => one.trim().split(" ").at(-1) ?? ""),
  );
  return [...[...declared].map(([, name = ""]) => name), ...names.filter((name) => name !== "")];
}

/** Error classes that code distinguishes. Others keep their name in the base class of their service. */
export const handledErrors: readonly string[] = [
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
  "ResourceNotFoundException",
  "ExecutionAlreadyExists",
  "ExecutionDoesNotExist",
  "BadDocumentException",
  "DocumentTooLargeException",
  "InvalidParameterException",
  "UnsupportedDocumentException",
];

/** Hosts of services by the name of their client. The client of S3 keeps its rules, which depend on the bucket. */
export const regionalHosts: Readonly<Record<string, string>> = {
  dynamodb: "dynamodb",
  eventbridge: "events",
  kms: "kms",
  "secrets-manager": "secretsmanager",
  sfn: "states",
  sqs: "sqs",
  textract: "textract",
};

const clientName = (path: string) => /client-([\w-]+)\/dist-es/.exec(path)?.[1] ?? "";

/** Lets the bundler drop the schemas of other operations, and drops the registration of errors that no code handles. */
const prepareSchemas = (text: string) =>
  prepareModule(
    text.replaceAll(/^n0_registry\.registerError\((\w+)\$, \w+\);\n/gm, (line, name) =>
      handledErrors.includes(name) ? line : "",
    ),
  );

/** What the SDK does beyond the needs of a function in Lambda, and its replacement. */
export const replacements: readonly Replacement[] = [
  {
    module: /@aws-sdk\/credential-provider-node\/dist-es\/index$/,
    rewrite: () => `export { defaultProvider } from ${own("lib/runtime/aws/environment-credentials.ts")};`,
  },
  {
    module: new RegExp(`@aws-sdk/client-(${Object.keys(regionalHosts).join("|")})/dist-es/endpoint/endpointResolver$`),
    rewrite: (_, path) =>
      `import { regionalEndpoint } from ${own("lib/runtime/aws/regional-endpoint.ts")};
       export const defaultEndpointResolver = /* @__PURE__ */ regionalEndpoint("${regionalHosts[clientName(path)]}");`,
  },
  { module: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_0$/, rewrite: prepareSchemas },
  {
    module: /@aws-sdk\/[\w-]+\/package\.json$/,
    rewrite: (text) => JSON.stringify({ version: JSON.parse(text).version }),
  },
  {
    module: /@aws-sdk\/core\/dist-es\/submodules\/client\/middleware-user-agent\/user-agent-middleware$/,
    rewrite: () => "export const getUserAgentPlugin = () => ({ applyToStack: () => {} });",
  },
  {
    module: /@aws-sdk\/core\/dist-es\/submodules\/client\/util-user-agent-node\/defaultUserAgent$/,
    rewrite: () => "export const createDefaultUserAgentProvider = () => async () => [];",
  },
  {
    module: /@aws-sdk\/middleware-endpoint-discovery\/dist-es\/index$/,
    rewrite: () => `
      export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
        environmentVariableSelector: () => false, configFileSelector: () => undefined, default: false };
      export const resolveEndpointDiscoveryConfig = (input) => input;`,
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/event-streams\/index$/,
    isPartial: true,
    rewrite: () => `
      export const eventStreamSerdeProvider = () => ({});
      export const resolveEventStreamSerdeConfig = (input) => input;
      ${refusingClass("EventStreamSerde")}`,
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/config\/node-config-provider\/fromSharedConfigFiles$/,
    rewrite: () => `
      import { CredentialsProviderError } from "../property-provider/CredentialsProviderError";
      export const fromSharedConfigFiles = () => async () => {
        throw new CredentialsProviderError("functions read no configuration files"); };`,
  },
  {
    module: /@smithy\/core\/dist-es\/submodules\/config\/config-resolver\/regionConfig\/getInstanceMetadataRegion$/,
    rewrite: () => "export const getInstanceMetadataRegion = async () => undefined;",
  },
  {
    module:
      /@smithy\/core\/dist-es\/submodules\/(checksum\/\w+\/(Sha256|Crc32|Md5)Js|retry\/util-retry\/(DefaultRateLimiter|AdaptiveRetryStrategy))$/,
    rewrite: (_, path) => refusingClass(basename(path, ".js")),
  },
  {
    module: /@smithy\/signature-v4\/dist-es\/HeaderFormatter$/,
    rewrite: () => `export class HeaderFormatter { format = ${refusal("signatures of event streams")}; }`,
  },
  {
    // The bundler cannot leave out parts of a module that another module exports as one object.
    module: /zod\/v4\/classic\/\w+$/,
    rewrite: (text) =>
      text.replace('import { util } from "../core/index.js"', 'import * as util from "../core/util.js"'),
  },
  {
    module: /zod\/v4\/core\/json-schema-processors$/,
    rewrite: () => "",
  },
  {
    module: /zod\/v4\/core\/to-json-schema$/,
    rewrite: (text) =>
      exportedNames(text)
        .map((name) => `export const ${name} = () => ${refusal("JSON Schemas")};`)
        .join("\n"),
  },
];

/** Adds what the original module exports and the other form lacks: a function that throws. */
function withEveryExport(rewritten: string, original: string): string {
  const present = new Set(exportedNames(rewritten));
  const absent = exportedNames(original).filter((name) => !present.has(name));
  return [rewritten, ...absent.map((name) => `export const ${name} = ${refusal(name)};`)].join("\n");
}

/** Packages that look for credentials outside of the environment. No function may contain one. */
const OTHER_CREDENTIALS =
  /^@aws-sdk\/(nested-clients|token-providers|credential-provider-)|^@smithy\/credential-provider-imds/;

/** Replaces the parts of packages that do nothing for a function in Lambda, but load and run at each cold start. */
export const leanSdkPlugin: Plugin = {
  name: "lean-sdk",
  setup({ onLoad, onResolve, resolve: resolvePath }) {
    onResolve({ filter: OTHER_CREDENTIALS }, ({ path, importer }) => {
      if (path === "@aws-sdk/credential-provider-node") return undefined;
      throw new Error(`${importer} imports ${path}, but functions take credentials from the environment alone`);
    });
    // Declared as having a side effect, which the client of S3 has by itself: it registers functions of endpoint rules.
    onResolve({ filter: /^\.\/util-endpoints\/aws$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === "resolving") return undefined;
      return { ...(await resolvePath(path, { ...from, pluginData: "resolving" })), sideEffects: false };
    });
    onLoad({ filter: /node_modules\/(@aws-sdk|@smithy|zod)\/.*\.(js|json)$/ }, async ({ path }) => {
      const place = path.replace(/\.js$/, "");
      const found = replacements.find(({ module }) => module.test(place));
      if (!found) return undefined;
      const text = await readFile(path, "utf8");
      const rewritten = found.rewrite(text, path);
      const contents = found.isPartial ? rewritten : withEveryExport(rewritten, text);
      return { contents, loader: path.endsWith(".json") ? "json" : "js", resolveDir: resolve(path, "..") };
    });
  },
};
