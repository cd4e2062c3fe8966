import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { TestService } from "../../../support/service.ts";

/** The era of a client: the current revision of the protocol, or the earlier ones with a handshake. */
export type Era = "current" | "handshake";

/** Connects the official TypeScript client with a credential. */
export async function connectAgent(service: TestService, credential: string, era: Era = "current"): Promise<Client> {
  const mode = era === "current" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${credential}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** Creates a client that connects once, with the first team's key. */
export const connectFirstTeam = (service: TestService, era?: Era) =>
  connectAgent(service, service.identity.api_key, era);

/** Sends one message without a client. @returns status, headers and parsed body. */
export function sendMessage(service: TestService, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${service.identity.api_key}`;
  return service.call("POST", "/mcp", { key: null, body, headers: { authorization, ...headers } });
}

/** The content of a tool's answer: its structured content, or the error of the route. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every tool
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const last = result.content.at(-1);
  if (result.isError) return JSON.parse(last?.type === "text" ? last.text : "null");
  return result.structuredContent;
}
