import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { callTool, connectAgent, connectFirstTeam, sendMessage } from "./agent-client.ts";
import { type AgentUser, createAgentUser, createToolExamples, DAY } from "./agent-world.ts";

let service: TestService;
let [own, other]: AgentUser[] = [];
let client: Client;
beforeAll(async () => {
  service = await TestService.start();
  [own, other] = [await createAgentUser(service, "own"), await createAgentUser(service, "other")];
  client = await connectAgent(service, (await createToken({ user_id: own.userId, expires_in: 86_400 })).access_token);
}, 240_000);
afterAll(async () => {
  await client.close();
  await service.stop();
});

const examplesOf = (user: AgentUser | undefined) => createToolExamples(user as AgentUser);
const toolsOfOneUser = endpoints
  .flatMap(({ agentTool }) => (agentTool && agentTool.reach !== "team" ? [agentTool.name] : []))
  .toSorted();

async function requestToken(body: object): Promise<Answer> {
  const { org_id, team_id } = service.identity;
  const path = `/v1/org/${org_id}/team/${team_id}/create_api_access_token`;
  return service.manage("POST", path, { body: { env: "sandbox", ...body } });
}

async function createToken(body: object): Promise<{ access_token: string; expires_in: number }> {
  const { status, body: made } = await requestToken(body);
  expect(status).toBe(200);
  return made;
}

/** Calls a route with a token. */
const callWith = (token: string, target: string) =>
  service.call("GET", target, { key: null, headers: { authorization: `Bearer ${token}` } });

describe("a token of one user", () => {
  test("has the tools that read one user, which need no user_id", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolsOfOneUser);
    for (const { inputSchema } of tools) expect(inputSchema.required).not.toContain("user_id");
    const named = await callTool(client, "get_sleep", { user_id: own?.userId, start_date: DAY });
    expect(await callTool(client, "get_sleep", { start_date: DAY })).toEqual(named);
    expect(named.data.sleep).toHaveLength(1);
  });

  test.each(toolsOfOneUser)(
    "reads with %s what the team reads of this user, and other users as unknown",
    { tags: "deep" },
    async (name) => {
      const team = await connectFirstTeam(service);
      const mine = examplesOf(own)[name]?.args;
      expect(await callTool(client, name, mine)).toEqual(await callTool(team, name, mine));
      const theirs = await callTool(client, name, examplesOf(other)[name]?.args);
      const nobody = { userId: crypto.randomUUID(), orderId: crypto.randomUUID(), clientUserId: "nobody" };
      expect(theirs).toEqual(await callTool(client, name, examplesOf(nobody)[name]?.args));
      expect(JSON.stringify(await callTool(team, name, examplesOf(other)[name]?.args))).not.toEqual(
        JSON.stringify(theirs),
      );
      await team.close();
    },
  );

  test("has no tools of the team", async () => {
    const { access_token } = await createToken({ user_id: own?.userId });
    for (const name of ["list_users", "list_events"]) {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } };
      const answer = await sendMessage(service, body, { authorization: `Bearer ${access_token}` });
      expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining("one user")]);
    }
  });

  test("is refused by routes that are no tool, and by lists without its user", async () => {
    const { access_token } = await createToken({ user_id: own?.userId });
    const answer = async (target: string) => (await callWith(access_token, target)).status;
    expect(await answer(`/v2/summary/sleep/${own?.userId}?start_date=${DAY}`)).toBe(200);
    expect(await answer(`/v2/summary/sleep/${other?.userId}?start_date=${DAY}`)).toBe(404);
    expect(await answer(`/v3/order/${own?.orderId}`)).toBe(200);
    expect(await answer(`/v3/order/${other?.orderId}`)).toBe(404);
    expect((await callWith(access_token, `/v3/orders?user_id=${other?.userId}`)).body.orders).toEqual([]);
    for (const target of [
      "/v3/orders",
      "/v2/user",
      "/v2/events",
      "/v2/introspect/resources",
      `/v2/user/${own?.userId}`,
    ]) {
      expect([target, await answer(target)]).toEqual([target, 403]);
    }
  });

  test("has the scopes that it was created with", async () => {
    const { access_token } = await createToken({ user_id: own?.userId, scopes: ["labs"] });
    const restricted = await connectAgent(service, access_token);
    const { tools } = await restricted.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "get_order",
      "get_order_result",
      "list_orders",
      "list_report_results",
    ]);
    await restricted.close();
  });
});

describe("a token of one user ends", () => {
  const readSleep = (token: string, userId: string) => callWith(token, `/v2/summary/sleep/${userId}?start_date=${DAY}`);

  test("with the credentials of the user, and with the user", { tags: "deep" }, async () => {
    const { userId } = await createAgentUser(service, "leaving");
    const { access_token } = await createToken({ user_id: userId });
    expect((await readSleep(access_token, userId)).status).toBe(200);
    const { org_id, team_id } = service.identity;
    const path = `/v1/org/${org_id}/team/${team_id}/revoke_credentials`;
    await service.manage("POST", path, { body: { user_id: userId } });
    expect((await readSleep(access_token, userId)).status).toBe(404);
    await service.advance(1_000);
    const { access_token: next } = await createToken({ user_id: userId });
    expect((await readSleep(next, userId)).status).toBe(200);
    await service.call("DELETE", `/v2/user/${userId}`);
    expect((await readSleep(next, userId)).status).toBe(404);
  });

  test("after its lifetime", async () => {
    const { access_token, expires_in } = await createToken({ user_id: own?.userId, expires_in: 3_600 });
    expect(expires_in).toBe(3_600);
    await service.advance(3_590_000);
    expect((await readSleep(access_token, own?.userId ?? "")).status).toBe(200);
    await service.advance(11_000);
    expect((await readSleep(access_token, own?.userId ?? "")).status).toBe(401);
  });

  test("within a day, and exists only for a user of the team", async () => {
    for (const expires_in of [59, 86_401, 1.5]) expect((await requestToken({ expires_in })).status).toBe(422);
    for (const user_id of [crypto.randomUUID(), service.identity.team_id]) {
      const { status, body } = await requestToken({ user_id });
      expect([status, body.code]).toEqual([404, "user_not_found"]);
    }
    expect((await createToken({})).expires_in).toBe(600);
  });
});
