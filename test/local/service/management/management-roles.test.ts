import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { endpoints } from "../../../../functions/index.ts";
import { type EndpointContract, type ManagementScope, managementScopeOf } from "../../../../lib/contract/endpoint.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { type CredentialKind, createRoleFixture, credentialKinds, type RoleFixture } from "./role-fixture.ts";

let service: TestService;
let world: RoleFixture;
beforeAll(async () => {
  service = await TestService.start();
  world = await createRoleFixture(service);
});
afterAll(() => service.stop());

/** Outcome of a request: refused with this status, or accepted by authorization. */
type Outcome = 401 | 403 | 404 | "let through";

/** Expected outcome of each credential at operations of either scope. */
const law: Readonly<Record<ManagementScope, Partial<Record<CredentialKind, Outcome>>>> = {
  org: {
    "other org": 404,
    "team key out of scope": 403,
    "team key in scope": 403,
    "org key": "let through",
  },
  team: {
    "other org": 404,
    "team key out of scope": 404,
    "team key in scope": "let through",
    "org key": "let through",
  },
};

/** Bodies of operations that name their teams in the body; all others refuse a credential before they read the body. */
const bodies: Readonly<Record<string, (team_id: string) => object>> = {
  createTeamApiKey: (team_id) => ({ label: "matrix", team_id }),
  setTeamEtlPipeline: (id) => ({ team_ids: [id], preferences: { preferred: "svix", enabled: ["svix"] } }),
  setDataPullPreferences: (id) => ({ team_ids: [id], providers: {} }),
  setCustomCredentials: (team_id) => ({ team_id, provider: "oura", client_id: "matrix" }),
  prepareCustomCredentials: (team_id) => ({ team_id, provider: "oura" }),
};

/** Operations on lists of ids; the response reports an id outside of the key's teams as not found. */
const byThing = ["deleteTeamApiKeys"];

const management = endpoints.filter(({ auth }) => auth === "management");
const isLast = ({ operationId }: EndpointContract) => Number(["deleteTeam", "undoDeleteTeam"].indexOf(operationId));
const operations = management
  .filter(({ operationId }) => !byThing.includes(operationId))
  .sort((a, b) => isLast(a) - isLast(b));

function queryOf({ query }: EndpointContract): string {
  const known: Record<string, string> = {
    team_id: world.teamId,
    credential_id: randomUUID(),
    start_date: new Date(service.cloud.clock.now()).toISOString().slice(0, 10),
  };
  const named = Object.entries<z.ZodType>(query.shape).filter(
    ([name, field]) => name === "team_id" || !field.safeParse(undefined).success,
  );
  return named.map(([name]) => `${name}=${known[name] ?? ""}`).join("&");
}

async function send(contract: EndpointContract, credential: CredentialKind): Promise<Answer> {
  const place: Record<string, string> = {
    org_id: service.identity.org_id,
    team_id: world.teamId,
    env: "sandbox",
    region: "us",
  };
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => place[name] ?? randomUUID());
  const body = bodies[contract.operationId]?.(world.teamId) ?? {};
  const options = { key: world.keys[credential], ...(contract.body ? { body } : {}) };
  return service.manage(contract.method, `${path}?${queryOf(contract)}`, options);
}

function outcome({ status, body }: Answer): Outcome | string {
  if (status >= 500) return `broken: ${status}`;
  if (status === 401 || status === 403) return status;
  return status === 404 && /no (team|organization) with this id|route/.test(JSON.stringify(body)) ? 404 : "let through";
}

describe("management operations", () => {
  test("are covered by the test, each in one scope", () => {
    expect(operations.length).toBeGreaterThan(40);
    const outside = operations.filter((one) => managementScopeOf(one) === "team" && !one.path.includes("{team_id}"));
    const named = outside.filter((one) => !(one.operationId in bodies) && !("team_id" in one.query.shape));
    expect(named.map(({ operationId }) => operationId)).toEqual([]);
    expect(management.filter(({ path }) => !path.startsWith("/v1/org/{org_id}"))).toEqual([]);
  });

  test("accept exactly the credentials of their scope [authentication-03] [authentication-06] [authentication-07] [authentication-08]", async () => {
    const wrong: string[] = [];
    for (const contract of operations) {
      const tried = credentialKinds.map(async (credential) => {
        const expected = law[managementScopeOf(contract)][credential] ?? 401;
        const found = outcome(await send(contract, credential));
        if (found !== expected) wrong.push(`${contract.operationId} by ${credential}: ${found}, not ${expected}`);
      });
      await Promise.all(tried);
    }
    expect(wrong).toEqual([]);
  });

  test("on team keys find no key of another team", async () => {
    const { org_id } = service.identity;
    const path = `/v1/org/${org_id}/team_api_keys/sandbox/us`;
    const made = await service.manage("POST", path, { body: { label: "kept", team_id: world.teamId } });
    const remove = async (credential: CredentialKind) => {
      const { status, body } = await service.manage("DELETE", `${path}?api_key_id=${made.body.id}`, {
        key: world.keys[credential],
      });
      return [status, body.success, body.not_found];
    };
    expect((await remove("other org"))[0]).toBe(404);
    expect((await remove("team API key"))[0]).toBe(401);
    expect(await remove("team key out of scope")).toEqual([200, [], [made.body.id]]);
    expect(await remove("team key in scope")).toEqual([200, [made.body.id], []]);
    expect(await remove("team key in scope")).toEqual([200, [], [made.body.id]]);
  });
});

test("no operation of the main API accepts a management key, a revoked key, an expired token or a token of another kind [authentication-01] [authentication-04]", async () => {
  const { keys, revokedApiKey } = world;
  const inHeader = [
    keys["org key"],
    keys["team key in scope"],
    revokedApiKey,
    keys["access token"],
    keys["link token"],
  ];
  const bearers = [keys.expired, keys["team API key"], keys["org key"]];
  const attempts = [
    {},
    ...inHeader.map((key) => ({ "x-service-api-key": key ?? "" })),
    ...bearers.map((key) => ({ authorization: `Bearer ${key}` })),
    { "x-management-key": keys["org key"] ?? "" },
  ];
  const wrong: string[] = [];
  for (const { operationId, method, path, callsRoutes } of endpoints.filter(({ auth }) => auth === "team")) {
    const to = path.replace(/\{\w+\}/g, () => randomUUID());
    // Agents send an API key as a bearer token.
    const refused = attempts.filter(
      (one) => !(callsRoutes && "authorization" in one && one.authorization === `Bearer ${keys["team API key"]}`),
    );
    const answers = refused.map((headers) => service.call(method, to, { key: null, headers }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    if (statuses.some((status) => status !== 401)) wrong.push(`${operationId} ${statuses.join(" ")}`);
  }
  expect(wrong).toEqual([]);
});
