import {
  type AgentMessage,
  agentMessage,
  CURRENT_REVISION,
  checkRevision,
  handshakeRevisions,
  type RpcError,
  rpcCodes,
} from "../../domain/agents/agent-message.ts";
import type { AgentCatalogue, ToolDefinition } from "../../domain/agents/tool-definition.ts";
import { toVisibleJson } from "../../domain/agents/visible-json.ts";
import { type AgentCaller, callTool, type ToolCallResult } from "./call-tool.ts";
import { isToolAllowed } from "./is-tool-allowed.ts";

/** The HTTP answer to a message. */
export interface AgentAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A message with the catalogue and the caller that it is answered for. */
interface AgentCall {
  readonly catalogue: AgentCatalogue;
  readonly caller: AgentCaller;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A request of a known revision. */
interface RpcCall extends AgentCall {
  readonly message: AgentMessage;
  readonly revision: string;
}

type Result = Readonly<Record<string, unknown>>;
type Outcome = { readonly result: Result } | ToolCallResult;

/** Time for which a client may keep the list of tools, ms. A deployment changes it, and the scopes of a key never change. */
const LIST_TTL_MS = 3_600_000;

/**
 * Answers one message of an agent (Model Context Protocol 2026-07-28, and the revisions with a handshake). Nothing is
 * kept between messages.
 * @param parsed the JSON of the body.
 */
export async function answerMessage(parsed: unknown, call: AgentCall): Promise<AgentAnswer> {
  const message = agentMessage.safeParse(parsed);
  if (!message.success) return refuse(undefined, invalidRequest(Array.isArray(parsed)));
  const { id, method } = message.data;
  const checked = checkRevision(message.data, call.headers);
  if ("error" in checked) return refuse(id, checked.error);
  if (id === undefined) return method.startsWith("notifications/") ? accepted : refuse(id, invalidRequest(false));
  const { revision } = checked;
  const answer = await answerRequest({ ...call, message: message.data, revision });
  if ("error" in answer) return { ...refuse(id, answer.error), ...(answer.headers ? { headers: answer.headers } : {}) };
  return { status: 200, body: renderResult(id, answer.result, call.catalogue, revision) };
}

const accepted: AgentAnswer = { status: 202, body: "" };

/** Renders a result. The current revision names its kind and the server in each one. */
function renderResult(
  id: AgentMessage["id"],
  result: Result,
  { server }: Pick<AgentCatalogue, "server">,
  revision: string,
): string {
  const about =
    revision === CURRENT_REVISION
      ? { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": server } }
      : {};
  return toVisibleJson({ jsonrpc: "2.0", id, result: { ...about, ...result } });
}

function refuse(id: AgentMessage["id"], { status, code, message, data }: RpcError): AgentAnswer {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { status, body: toVisibleJson({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error }) };
}

const invalidRequest = (isBatch: boolean): RpcError => ({
  status: 400,
  code: rpcCodes.invalidRequest,
  message: isBatch ? "Batches are not supported: send each message by itself" : "Not a JSON-RPC 2.0 request",
});

/** Answers a request by its method. The handshake belongs to the earlier revisions, discovery to the current one. */
async function answerRequest(call: RpcCall): Promise<Outcome> {
  const { message, revision, catalogue } = call;
  const isCurrent = revision === CURRENT_REVISION;
  switch (message.method) {
    case "tools/list":
      return { result: listTools(call) };
    case "tools/call":
      return callTool({ ...call, render: (result) => renderResult(message.id, result, catalogue, revision) });
    case "server/discover":
      if (isCurrent) return { result: discover(catalogue) };
      break;
    case "initialize":
      if (!isCurrent) return { result: initialize(call) };
      break;
    case "ping":
      if (!isCurrent) return { result: {} };
  }
  const status = isCurrent ? 404 : 200;
  return { error: { status, code: rpcCodes.methodNotFound, message: "Method not found" } };
}

const about = ({ server, instructions }: AgentCatalogue) => ({
  capabilities: { tools: {} },
  serverInfo: server,
  instructions,
});

const discover = (catalogue: AgentCatalogue): Result => ({
  supportedVersions: [CURRENT_REVISION, ...handshakeRevisions],
  ...about(catalogue),
  ttlMs: LIST_TTL_MS,
  cacheScope: "public",
});

function initialize({ message, catalogue }: RpcCall): Result {
  const wanted = String(message.params?.protocolVersion);
  const protocolVersion = handshakeRevisions.includes(wanted) ? wanted : handshakeRevisions[0];
  return { protocolVersion, ...about(catalogue) };
}

/** Lists the tools that the scopes of the caller and the features of its team allow. */
function listTools({ catalogue, caller, revision }: RpcCall): Result {
  const tools = catalogue.tools
    .filter((tool) => isToolAllowed(tool, caller))
    .map(({ name, title, description, inputSchema, outputSchema }) => ({
      ...{ name, title, description, outputSchema },
      inputSchema: caller.ownUser ? withoutUserId(inputSchema) : inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    }));
  return { tools, ...(revision === CURRENT_REVISION ? { ttlMs: LIST_TTL_MS, cacheScope: "private" } : {}) };
}

/** A token of one user need not name its user. */
const withoutUserId = (schema: ToolDefinition["inputSchema"]) => ({
  ...schema,
  required: (schema.required as readonly string[]).filter((name) => name !== "user_id"),
});
