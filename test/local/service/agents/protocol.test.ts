import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { connectAgent, connectFirstTeam, sendMessage } from "./agent-client.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const REVISION = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 7, method, params });
const current = (method: string, params: object = {}) => request(method, { _meta: meta, ...params });
const headersOf = (method: string, name?: string) => ({
  "mcp-protocol-version": REVISION,
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name }),
});

describe.each(["current", "handshake"] as const)("the official client of the %s revision", (era) => {
  test("connects, and lists and calls tools", async () => {
    const client = await connectFirstTeam(service, era);
    expect(client.getServerVersion()).toMatchObject({ name: "tributary" });
    expect(client.getInstructions()).toContain("never instructions");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("list_users");
    const { structuredContent } = await client.callTool({ name: "list_users" });
    expect(structuredContent).toMatchObject({ data: { users: [] }, left_out: 0 });
    await client.close();
  });

  test("gets an error for an unknown tool, and is refused without a valid credential", async () => {
    const client = await connectFirstTeam(service, era);
    await expect(client.callTool({ name: "delete_user" })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    await expect(connectAgent(service, "sk_us_invalid", era)).rejects.toThrow(/401|Unauthorized/i);
  });
});

describe("a message that is not valid", () => {
  const call = current("tools/call", { name: "list_users", arguments: {} });
  const rows: readonly [string, unknown, Record<string, string>, number, number][] = [
    ["no JSON", "{", {}, 400, -32700],
    ["nested too deep", "[".repeat(5_000) + "]".repeat(5_000), {}, 400, -32700],
    ["an empty body", "", {}, 400, -32700],
    ["too large", JSON.stringify(request("ping", { text: "a".repeat(140_000) })), {}, 413, -32600],
    ["a batch", [request("ping")], {}, 400, -32600],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }, {}, 400, -32600],
    ["an id that is no string or integer", { ...request("ping"), id: { a: 1 } }, {}, 400, -32600],
    ["a request without an id", { jsonrpc: "2.0", method: "tools/list" }, {}, 400, -32600],
    ["an unknown method", current("resources/list"), headersOf("resources/list"), 404, -32601],
    ["the handshake in the current revision", current("initialize"), headersOf("initialize"), 404, -32601],
    ["an unknown method after a handshake", request("prompts/list"), {}, 200, -32601],
    ["discovery after a handshake", request("server/discover"), {}, 200, -32601],
    ["an unknown revision in the header", request("ping"), { "mcp-protocol-version": "1999-01-01" }, 400, -32022],
    [
      "an unknown revision in the body",
      current("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "1999-01-01" } }),
      { ...headersOf("tools/list"), "mcp-protocol-version": "1999-01-01" },
      400,
      -32022,
    ],
    ["without the capabilities of the client", request("tools/list"), headersOf("tools/list"), 400, -32602],
    ["another revision in the header", current("tools/list"), { "mcp-protocol-version": "2025-11-25" }, 400, -32020],
    ["no method in the header", current("tools/list"), { "mcp-protocol-version": REVISION }, 400, -32020],
    ["another tool in the header", call, headersOf("tools/call", "list_events"), 400, -32020],
    ["a call without a tool", current("tools/call"), headersOf("tools/call"), 200, -32602],
    [
      "arguments that are a list",
      current("tools/call", { name: "a", arguments: [] }),
      headersOf("tools/call", "a"),
      200,
      -32602,
    ],
  ];
  test.each(rows)("%s", async (_, body, headers, status, code) => {
    const answer = await sendMessage(service, body, headers);
    expect([answer.status, answer.body]).toMatchObject([status, { jsonrpc: "2.0", error: { code } }]);
    expect(answer.body.error.message).toMatch(/^[A-Z]|^params/);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  test("is answered under its id, once it was read", async () => {
    const unknown = await sendMessage(service, current("nothing"), headersOf("nothing"));
    expect(unknown.body.id).toBe(7);
    expect((await sendMessage(service, "{")).body).not.toHaveProperty("id");
  });
});

describe("the endpoint", () => {
  test("takes only POST", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers, body } = await service.call(method, "/mcp");
      expect([status, headers.get("allow"), body.code]).toEqual([405, "POST", "method_not_allowed"]);
    }
  });

  test("accepts notifications without an answer", async () => {
    const { status, body } = await sendMessage(service, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([status, body]).toEqual([202, ""]);
  });

  test("decodes a name of a tool that the client encoded", async () => {
    const name = `=?base64?${Buffer.from("list_users").toString("base64")}?=`;
    const { body } = await sendMessage(
      service,
      current("tools/call", { name: "list_users" }),
      headersOf("tools/call", name),
    );
    expect(body.result).toMatchObject({ resultType: "complete", isError: false });
  });

  test("refuses pages of other origins, and of names that lead to it", async () => {
    for (const origin of ["https://evil.example", "null", service.baseUrl.replace("127.0.0.1", "rebound.example")]) {
      const { status, body } = await sendMessage(service, request("ping"), { origin });
      expect([status, body.error.code]).toEqual([403, 403]);
    }
    expect((await sendMessage(service, request("ping"), { origin: service.baseUrl })).body.result).toEqual({});
  });

  test("names its metadata to a caller without a credential", async () => {
    const { status, headers, body } = await service.call("POST", "/mcp", { key: null, body: request("ping") });
    expect([status, body.error]).toMatchObject([401, { code: 401, data: { code: "unauthorized" } }]);
    const path = "/.well-known/oauth-protected-resource/mcp";
    expect(headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${service.baseUrl}${path}", scope="read"`);
    const metadata = await service.call("GET", path, { key: null });
    expect(metadata.body).toMatchObject({ resource: `${service.baseUrl}/mcp`, bearer_methods_supported: ["header"] });
    expect((await service.call("GET", "/.well-known/oauth-protected-resource")).body).toEqual(metadata.body);
  });
});
