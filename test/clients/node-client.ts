import { createRequire } from "node:module";
import { type SdkMethod, sdkMethods } from "../contract/sdk-methods.ts";
import { foldName, type Outcome, type PublicClient } from "./public-client.ts";

const load = createRequire(new URL("../../node_modules/.cache/public-clients/", import.meta.url));

/**
 * Arranges a request as the method takes it: ids of the path come first, then the rest, or the body alone where nothing
 * else is left.
 */
function argumentsOf({ parameters }: SdkMethod, request: object): unknown[] {
  const rest = new Map(Object.entries(request));
  const ids = parameters.filter((name) => name !== "" && !name.startsWith("request"));
  const front = ids.map((name) => {
    const field = [...rest.keys()].find((key) => foldName(key) === foldName(name)) ?? name;
    const value = rest.get(field);
    rest.delete(field);
    return value;
  });
  if (!parameters.some((name) => /^request($| )/.test(name))) return front;
  return [...front, [...rest.keys()].join() === "body" ? rest.get("body") : Object.fromEntries(rest)];
}

/** Reads a downloaded file. @returns its first bytes, null for another answer. */
async function readFile(answer: unknown): Promise<string | null> {
  const { arrayBuffer } = (answer ?? {}) as Partial<Pick<Blob, "arrayBuffer">>;
  return arrayBuffer ? Buffer.from(await arrayBuffer.call(answer)).toString("latin1", 0, 5) : null;
}

/** Kind of a link's failure, which has status 200. */
const errorOf = (answer: unknown): string | null => {
  const { errorType, error_type } = (answer ?? {}) as { errorType?: string; error_type?: string };
  return errorType ?? error_type ?? null;
};

/** What an error of the client says: a refusal has a status. */
function outcomeOf(error: unknown): Outcome {
  const { statusCode: status, body, message } = error as Error & { statusCode?: number; body?: { code?: string } };
  if (status === undefined) return { kind: "fault", reason: message };
  return { kind: "refused", status, code: body?.code ?? null, reason: JSON.stringify(body) };
}

/** Creates the client `className` of an installed package. */
export function createNodeClient(
  packageName: string,
  className: string,
  baseUrl: string,
  apiKey: string,
): PublicClient {
  const client = new (load(packageName)[className])({ apiKey, baseUrl, maxRetries: 0, timeoutInSeconds: 20 });
  const methods = new Map(sdkMethods(client).map((method) => [method.name, method]));
  return {
    methods: [...methods.keys()],
    call: async (name, request) => {
      const method = methods.get(name)!;
      try {
        const answer = await method.call(...argumentsOf(method, request));
        return { kind: "answered", file: await readFile(answer), error: errorOf(answer) };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    stop: () => undefined,
  };
}
