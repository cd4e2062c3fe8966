import { readFileSync } from "node:fs";
import { API_VERSION } from "../api-version.ts";
import { createEventTypes } from "./event-types.ts";

/** Name of the package of events. */
const PACKAGE_NAME = "tributary-events";

const INDEX = `import { eventTypes, type EventType, type TributaryEvent } from "./event-types.ts";
import { type VerifyOptions, verifySignature, type WebhookHeaders } from "./verify-signature.ts";

export * from "./event-types.ts";
export { type VerifyOptions, type WebhookErrorCode, type WebhookHeaders, WebhookVerificationError } from "./verify-signature.ts";

/**
 * Verifies a webhook and returns its event. Handle unknown types in a \`default\` branch: the service may add types.
 * @param payload the raw body as received.
 * @param secrets signing secret of the endpoint; during a rotation, the old and the new one.
 * @throws WebhookVerificationError with a \`code\`, for a request that must not be processed.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<TributaryEvent> {
  return (await verifySignature(payload, headers, secrets, options)) as TributaryEvent;
}

/** Whether this version of the package knows a type. */
export const isKnownType = (type: string): type is EventType => (eventTypes as readonly string[]).includes(type);
`;

const README = `# ${PACKAGE_NAME}

Types of all webhook events of Tributary, and the verification of their signatures. No dependencies.

\`\`\`ts
import { verifyWebhook, WebhookVerificationError } from "${PACKAGE_NAME}";

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env.SECRET ?? "");
    if (event.event_type === "provider.connection.created") console.log(event.data.provider.name);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 401 });
    throw error;
  }
}
\`\`\`
`;

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["es2024", "dom"],
    types: [],
    strict: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: "src",
    outDir: "dist",
  },
  include: ["src"],
};

const manifest = {
  name: PACKAGE_NAME,
  version: API_VERSION,
  description: "Types of all webhook events of Tributary, and the verification of their signatures",
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  types: "./dist/index.d.ts",
  files: ["dist"],
  engines: { node: ">=20" },
};

const toJson = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the files of the package by their paths, before the compiler adds \`dist\`. */
export const createPackageFiles = (): Readonly<Record<string, string>> => ({
  "package.json": toJson(manifest),
  "tsconfig.json": toJson(tsconfig),
  "README.md": README,
  "src/index.ts": INDEX,
  "src/event-types.ts": createEventTypes(),
  "src/verify-signature.ts": readFileSync(new URL("verify-signature.ts", import.meta.url), "utf8"),
});
