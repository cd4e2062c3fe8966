import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { keyScopeNames } from "../../../../lib/contract/key-scopes.ts";
import { requiredKeyScope } from "../../../../lib/contract/required-key-scope.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("scoped");
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const make = (body: object) =>
  service.manage("POST", `${org()}/team_api_keys/sandbox/us`, {
    body: { label: "scoped", team_id: service.identity.team_id, ...body },
  });
const tokenPath = () => `${org()}/team/${service.identity.team_id}/create_api_access_token`;

/** Returns the scopes for which a credential is refused, with one call per scope. */
async function refusedScopes(headers: Record<string, string>): Promise<string[]> {
  const calls: Record<string, [string, string, object?]> = {
    read: ["GET", `/v2/user/${userId}`],
    ingest: ["POST", `/v2/ingest/${userId}`, {}],
    link: ["POST", "/v2/link/token", { user_id: userId }],
    labs: ["GET", "/v3/orders"],
    webhooks: ["GET", "/v2/team/svix/url"],
    users: ["PATCH", `/v2/user/${userId}`, {}],
  };
  const refused: string[] = [];
  for (const [scope, [method, path, body]] of Object.entries(calls)) {
    const answer = await service.call(method, path, { key: null, headers, ...(body && { body }) });
    if (answer.status !== 403) continue;
    expect(answer.body).toMatchObject({ code: "forbidden", required_scope: scope });
    expect(answer.body.detail).toContain(scope);
    refused.push(scope);
  }
  return refused;
}

describe("a team key", () => {
  test.each(keyScopeNames)("with the scope %s is accepted on its routes and refused on all others", async (scope) => {
    const { status, body } = await make({ scopes: [scope] });
    expect([status, body.scopes]).toEqual([200, [scope]]);
    const others = keyScopeNames.filter((name) => name !== scope);
    expect(await refusedScopes({ "x-service-api-key": body.value })).toEqual(others);
  });

  test("without scopes is accepted on all routes, also if it was created before scopes existed", async () => {
    const { body } = await make({ scopes: null });
    expect(body.scopes).toBeNull();
    expect(await refusedScopes({ "x-service-api-key": body.value })).toEqual([]);
    expect(await refusedScopes({ "x-service-api-key": service.identity.api_key })).toEqual([]);
  });

  test("is listed with its scopes, each once", async () => {
    const { body } = await make({ scopes: ["read", "labs", "read"] });
    const path = `${org()}/team_api_keys/sandbox/us?team_id=${service.identity.team_id}`;
    const { api_keys } = (await service.manage("GET", path)).body;
    expect(api_keys.find(({ id }: { id: string }) => id === body.id).scopes).toEqual(["read", "labs"]);
  });

  test("has at least one known scope, and the key of a laboratory has none", async () => {
    for (const body of [{ scopes: ["everything"] }, { scopes: [] }, { scopes: ["read"], lab: "quest" }]) {
      expect((await make(body)).status).toBe(422);
    }
  });

  test("without the required scope is refused on every route of team keys", {
    tags: "deep",
  }, async () => {
    const [read, link] = [(await make({ scopes: ["read"] })).body.value, (await make({ scopes: ["link"] })).body.value];
    for (const contract of endpoints.filter(({ auth, keyScope }) => auth === "team" && keyScope !== "any")) {
      const scope = requiredKeyScope(contract);
      const path = contract.path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const { status, body } = await service.call(contract.method, path, { key: scope === "read" ? link : read });
      // An OperationOutcome has no such field, so its text names the scope.
      const required = body.required_scope ?? /the scope (\w+)/.exec(body.issue?.[0].diagnostics)?.[1];
      expect([contract.operationId, status, required]).toEqual([contract.operationId, 403, scope]);
    }
  });
});

test("an access token is limited to the scopes that it was created with", async () => {
  const { body } = await service.manage("POST", tokenPath(), { body: { env: "sandbox", scopes: ["read"] } });
  const refused = await refusedScopes({ authorization: `Bearer ${body.access_token}` });
  expect(refused).toEqual(keyScopeNames.filter((name) => name !== "read"));
});
