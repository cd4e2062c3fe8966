import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";

/**
 * Calls the routes of agents for a user.
 * @param before runs before each request.
 */
export async function callAgentRoutes(
  service: TestService,
  before: () => Promise<unknown>,
  { userId, key }: { readonly userId: string; readonly key: string },
): Promise<void> {
  await before();
  await service.call("GET", "/.well-known/oauth-protected-resource/mcp");
  const args = { user_id: userId, start_date: "2026-05-01" };
  const messages = [
    { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
    { method: "tools/list" },
    { method: "tools/call", params: { name: "get_activity", arguments: args } },
  ];
  for (const message of messages) {
    await before();
    const { status, body } = await service.call("POST", "/mcp", { key, body: { jsonrpc: "2.0", id: 1, ...message } });
    expect([status, body.error, body.result?.isError ?? false]).toEqual([200, undefined, false]);
  }
}
