import { readFile } from "node:fs/promises";
import * as z from "zod";
import { AGENT_PATH } from "../../lib/contract/agent-tool.ts";
import { accessTokenHeader } from "../../lib/contract/compatibility.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import type { AgentCatalogue } from "../../lib/domain/agents/tool-definition.ts";
import { callerAddress } from "../../lib/runtime/callers/caller-address.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { parseJson } from "../../lib/runtime/http/request.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { answerInJsonRpc } from "../../lib/services/agents/answer-in-json-rpc.ts";
import { answerMessage } from "../../lib/services/agents/answer-message.ts";

export const contract = endpoint({
  operationId: "answerAgentMessage",
  method: "POST",
  path: AGENT_PATH,
  tag: "agents",
  summary: "Answer a message of an agent",
  description: [
    "Answers one JSON-RPC message of the Model Context Protocol, by which agents read data with tools.",
    "It serves the revision 2026-07-28 and, with a handshake, 2025-11-25 and 2025-06-18; it keeps no session.",
    "Send an API key or an access token as `Authorization: Bearer`; its scopes decide which tools exist.",
    "A tool calls the route that it stands for with this credential, and both calls count towards the limits.",
    "An answer has at most 65,536 bytes and says how many items it left out, and how to ask for them.",
    "Errors are JSON-RPC errors, also for a refused credential; web pages of other origins are refused.",
    "A body that is not JSON has the code -32700, and a batch -32600.",
  ],
  auth: "team",
  keyScope: "any",
  acceptsBearerKeys: true,
  params: noFields,
  query: noFields,
  body: z.string().default(""),
  mediaTypes: ["application/json"],
  response: z.looseObject({ jsonrpc: z.literal("2.0") }).meta({ id: "AgentAnswer" }),
  access: [],
  callsRoutes: true,
  maxBodyBytes: 131_072,
});

let catalogue: AgentCatalogue | undefined;

export const handler = answerInJsonRpc(
  implement(contract, async ({ event, body, header, scopes, team, ownUser, notes, log }) => {
    catalogue ??= JSON.parse(
      await readFile(new URL("agent-catalogue.json", import.meta.url), "utf8"),
    ) as AgentCatalogue;
    const given = event.headers[header] ?? "";
    const credential = header === accessTokenHeader ? given.replace(/^Bearer /i, "") : given;
    const caller = { scopes, team, ownUser, credential, address: callerAddress(event), notes, log };
    const answer = await answerMessage(parseJson(body), { catalogue, caller, headers: event.headers });
    return new Answer(answer.body, { status: answer.status, ...(answer.headers ? { headers: answer.headers } : {}) });
  }),
);
