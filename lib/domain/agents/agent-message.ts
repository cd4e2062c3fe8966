import * as z from "zod";

/** The current revision of the protocol, in which each request stands for itself (Model Context Protocol 2026-07-28). */
export const CURRENT_REVISION = "2026-07-28";
/** Earlier revisions, whose clients begin with `initialize`; newest first. */
export const handshakeRevisions: readonly string[] = ["2025-11-25", "2025-06-18"];
/** The revision of a client that names none in a header: the last one without that header. */
const UNNAMED_REVISION = "2025-03-26";

/** Codes of errors (JSON-RPC 2.0, section 5.1; Model Context Protocol, "Error Codes"). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
} as const;

/** An error answer to a message. `status` is that of HTTP. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request, or a notification if it has no id. */
export const agentMessage = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(200), z.int()]).optional(),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type AgentMessage = z.output<typeof agentMessage>;

type Headers = Readonly<Record<string, string | undefined>>;

const meta = z.object({
  "io.modelcontextprotocol/protocolVersion": z.string(),
  "io.modelcontextprotocol/clientCapabilities": z.looseObject({}),
});
const REVISION_FIELD = "io.modelcontextprotocol/protocolVersion";
const REVISION_HEADER = "mcp-protocol-version";

/**
 * Checks the revision of a message and the headers that repeat parts of it.
 * @returns the revision under which the message is served, or the error.
 */
export function checkRevision(message: AgentMessage, headers: Headers): { revision: string } | { error: RpcError } {
  const given = message.params?._meta as Headers | undefined;
  const header = headers[REVISION_HEADER];
  const named = given?.[REVISION_FIELD] ?? header ?? UNNAMED_REVISION;
  const hasHandshake = given?.[REVISION_FIELD] === undefined && header !== CURRENT_REVISION;
  if (hasHandshake) return isHandshakeRevision(named) ? { revision: named } : { error: unsupported(named) };
  if (!meta.safeParse(given).success) {
    const text = "params._meta must have the protocolVersion and the clientCapabilities of the client";
    return { error: { status: 400, code: rpcCodes.invalidParams, message: text } };
  }
  if (header !== named) return { error: mismatch("MCP-Protocol-Version") };
  if (named !== CURRENT_REVISION) return { error: unsupported(named) };
  const error = checkHeaders(message, headers);
  return error ? { error } : { revision: named };
}

const isHandshakeRevision = (revision: string) =>
  handshakeRevisions.includes(revision) || revision === UNNAMED_REVISION;

/** The headers by which gateways route a message must repeat its method and the name of its tool. */
function checkHeaders({ id, method, params }: AgentMessage, headers: Headers): RpcError | undefined {
  if (id === undefined) return undefined;
  if (headers["mcp-method"] !== method) return mismatch("Mcp-Method");
  if (method === "tools/call" && decodeHeader(headers["mcp-name"]) !== params?.name) return mismatch("Mcp-Name");
  return undefined;
}

/** Decodes `=?base64?...?=`, in which clients send what a header cannot contain. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString();
}

const mismatch = (name: string): RpcError => ({
  status: 400,
  code: rpcCodes.headerMismatch,
  message: `Header mismatch: ${name} must repeat the value in the body`,
});

const unsupported = (requested: string): RpcError => ({
  status: 400,
  code: rpcCodes.unsupportedRevision,
  message: "Unsupported protocol version",
  data: { supported: [CURRENT_REVISION, ...handshakeRevisions], requested: requested.slice(0, 40) },
});
