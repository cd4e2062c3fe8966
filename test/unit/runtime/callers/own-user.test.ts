import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import type { EndpointContract } from "../../../../lib/contract/endpoint.ts";
import { requireOwnUser, withOwnUser } from "../../../../lib/runtime/callers/own-user.ts";
import { Forbidden } from "../../../../lib/runtime/errors.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";

const ownUser = { user_id: "own", made_at: "2026-05-01T00:00:00.000Z" };
const named = { params: { user_id: "own" }, query: {} };
const isRefused = (contract: EndpointContract, input: object, caller: object = { ownUser }) => {
  try {
    requireOwnUser(contract, caller, input);
    return false;
  } catch (error) {
    if (error instanceof Forbidden) return true;
    throw error;
  }
};
const ofTeams = endpoints.filter(({ auth }) => auth === "team");

describe("a token of one user", () => {
  test("reaches the routes of tools alone that read one user", () => {
    const open = ofTeams.filter((contract) => !isRefused(contract, named));
    const marked = ofTeams.filter(
      ({ agentTool, callsRoutes }) => callsRoutes || (agentTool && agentTool.reach !== "team"),
    );
    expect(open.map(({ operationId }) => operationId)).toEqual(marked.map(({ operationId }) => operationId));
    expect(open.length).toBeGreaterThan(10);
  });

  test("must name the user where a request can", () => {
    const unnamed = ofTeams.filter((contract) => !isRefused(contract, { params: {}, query: {} }));
    const named = unnamed.filter(({ params, query }) => "user_id" in params.shape || "user_id" in query.shape);
    expect(named.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("reads the user before any data on each of these routes", () => {
    const reads = ofTeams.filter(({ agentTool }) => agentTool && agentTool.reach !== "team");
    const without = reads.filter(({ access }) => !access.some(({ dependency }) => dependency === "users"));
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });
});

test("a credential of the team reaches all routes", () => {
  expect(ofTeams.filter((contract) => isRefused(contract, { params: {}, query: {} }, {}))).toEqual([]);
});

describe("the users that a token of one user sees", () => {
  const scope = TeamScope.grant("team");
  const record = (user_id: string, credentials_revoked_at?: string) => ({ user_id, credentials_revoked_at });
  const storeWith = (revokedAt?: string) => {
    const all = [record("own", revokedAt), record("other")];
    return {
      get: async (_: TeamScope, id: string) => all.find(({ user_id }) => user_id === id),
      getMany: async (_: TeamScope, ids: readonly string[]) => all.filter(({ user_id }) => ids.includes(user_id)),
      listIds: async () => all.map(({ user_id }) => user_id),
    };
  };
  const limit = (revokedAt?: string) => withOwnUser({ users: storeWith(revokedAt) }, { ownUser }).users;

  test("are its own, and no list", async () => {
    const users = limit();
    expect([await users.get(scope, "own"), await users.get(scope, "other")]).toMatchObject([
      { user_id: "own" },
      undefined,
    ]);
    expect(await users.getMany(scope, ["other", "own"])).toMatchObject([{ user_id: "own" }]);
    expect(users).not.toHaveProperty("listIds");
  });

  test("are none once its credentials are revoked, unless the token is newer", async () => {
    const revoked = limit(ownUser.made_at);
    expect([await revoked.get(scope, "own"), await revoked.getMany(scope, ["own"])]).toEqual([undefined, []]);
    expect(await limit("2026-04-30T23:59:59.999Z").get(scope, "own")).toMatchObject({ user_id: "own" });
  });

  test("are all for a credential of the team", () => {
    const deps = { users: storeWith() };
    expect(withOwnUser(deps, {})).toBe(deps);
  });
});
