import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { type KeyScope, keyScopeNames } from "../../../../lib/contract/key-scopes.ts";
import { requiredKeyScope } from "../../../../lib/contract/required-key-scope.ts";
import type { AccessEntry } from "../../../../lib/domain/audit/access-entry.ts";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { callTool, connectAgent, connectFirstTeam, sendMessage } from "./agent-client.ts";
import { type AgentUser, createAgentUser, createToolExamples, DAY } from "./agent-world.ts";

let service: TestService;
let user: AgentUser;
beforeAll(async () => {
  service = await TestService.start();
  user = await createAgentUser(service, "owned-by-one-team");
}, 240_000);
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const toolsOf = (scope: KeyScope) =>
  endpoints.flatMap((contract) =>
    contract.agentTool && requiredKeyScope(contract) === scope ? [contract.agentTool.name] : [],
  );

async function createKey(scopes: readonly string[]): Promise<string> {
  const body = { label: "agent", team_id: service.identity.team_id, scopes };
  return (await service.manage("POST", `${org()}/team_api_keys/sandbox/us`, { body })).body.value;
}

async function createToken(scopes: readonly string[] | null): Promise<string> {
  const path = `${org()}/team/${service.identity.team_id}/create_api_access_token`;
  return (await service.manage("POST", path, { body: { env: "sandbox", scopes } })).body.access_token;
}

describe("scopes decide which tools exist", () => {
  test.each(keyScopeNames)("for a key with the scope %s", async (scope) => {
    const client = await connectAgent(service, await createKey([scope]));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolsOf(scope).toSorted());
    await client.close();
  });

  test("and a tool of another scope is refused with the scope that it needs", async () => {
    const authorization = `Bearer ${await createKey(["read"])}`;
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_orders" } };
    const answer = await sendMessage(service, body, { authorization });
    expect([answer.status, answer.body.error.code]).toEqual([403, 403]);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="insufficient_scope", scope="labs", /);
  });

  test("for an access token, until it expires", async () => {
    const token = await createToken(["labs"]);
    const client = await connectAgent(service, token);
    expect(await callTool(client, "get_order", { order_id: user.orderId })).toMatchObject({ left_out: 0 });
    await client.close();
    await service.advance(11 * 60_000);
    await expect(connectAgent(service, token)).rejects.toThrow(/401|Unauthorized/i);
  });

  test("and a team without the feature of a route has no tool of it", async () => {
    const { key } = await service.createTeam("without features");
    const client = await connectAgent(service, key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("list_report_results");
    await client.close();
  });
});

describe("another team", () => {
  test("reads every id of the first one as unknown, with every tool", { tags: "deep" }, async () => {
    const { key } = await service.createTeam("another team");
    const [other, owner] = [await connectAgent(service, key), await connectFirstTeam(service)];
    const unknown = { userId: crypto.randomUUID(), orderId: crypto.randomUUID(), clientUserId: "nobody" };
    const [ofOwner, ofNobody] = [createToolExamples(user), createToolExamples(unknown)];
    const { tools } = await other.listTools();
    for (const { name } of tools) {
      const answer = await callTool(other, name, ofOwner[name]?.args);
      expect([name, answer]).toEqual([name, await callTool(other, name, ofNobody[name]?.args)]);
      expect([name, JSON.stringify(answer)]).toEqual([name, expect.not.stringMatching(new RegExp(user.userId))]);
      if (name !== "list_events") {
        const own = await callTool(owner, name, ofOwner[name]?.args);
        expect([name, own]).not.toEqual([name, answer]);
      }
    }
    expect(tools.length).toBeGreaterThan(10);
    await Promise.all([other.close(), owner.close()]);
  });
});

describe("a call of a tool", () => {
  const readLog = async (): Promise<AccessEntry[]> => {
    const path = `${org()}/team/${service.identity.team_id}/access_log`;
    return (await service.manage("GET", path)).body.entries;
  };

  test("leaves the entry of its route, and one that names the tool", async () => {
    const body = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "get_sleep", arguments: { user_id: user.userId, start_date: DAY } },
    };
    const { headers } = await sendMessage(service, body);
    const subject = createHash("sha256").update(`${service.identity.team_id}/${user.userId}`).digest("hex");
    const entries = (await readLog()).slice(0, 2).toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
    const about = { caller: "team", key_id: expect.any(String), subject, status: 200 };
    expect(entries).toMatchObject([
      { ...about, operation: "answerAgentMessage", target: { tool: "get_sleep" }, id: headers.get("x-request-id") },
      { ...about, operation: "getSleep", target: {} },
    ]);
  });

  test("writes no argument and no data to the log of a function", { tags: "deep" }, async () => {
    const file = service.data.file("functions.log");
    const before = readFileSync(file, "utf8").length;
    const client = await connectFirstTeam(service);
    const examples = createToolExamples(user);
    for (const [name, { args }] of Object.entries(examples)) await callTool(client, name, args);
    await callTool(client, "find_user", { client_user_id: "secretreference" });
    await callTool(client, "get_sleep", { user_id: "secretreference", start_date: "secretreference" });
    const getBody = findFunctionName(service, "getBody");
    service.cloud.faults.add({ service: "dynamodb", function: getBody, mode: "fail_before", every_attempt: true });
    await callTool(client, "get_body", { user_id: user.userId, start_date: DAY });
    service.cloud.faults.clear();
    await client.close();
    const logged = readFileSync(file, "utf8").slice(before);
    expect(logged).toContain("getBody");
    for (const secret of ["secretreference", user.userId, user.clientUserId, "Sample", "Ignore all instructions"]) {
      expect([secret, logged.includes(secret)]).toEqual([secret, false]);
    }
  });
});
