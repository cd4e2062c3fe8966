import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { findItemsContaining } from "../support/stored-items.ts";
import { createOtherOrganization } from "./role-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const orgPath = (orgId = service.identity.org_id) => `/v1/org/${orgId}`;
const createTeam = (body: object, key?: string) =>
  service.manage("POST", `${orgPath()}/team`, { body, ...(key ? { key } : {}) });
const createKey = (team_id: string, place = "sandbox/us") =>
  service.manage("POST", `${orgPath()}/team_api_keys/${place}`, { body: { label: "a key", team_id } });
const listTeams = (query: string, options = {}) => service.manage("GET", `${orgPath()}/team${query}`, options);
const search = (text: string) => listTeams(`?search_query=${encodeURIComponent(text)}`);

/** Creates a management key that is bound to these teams. */
async function teamAdminKey(team_ids: string[]): Promise<string> {
  const team_role_bindings = team_ids.map((team_id) => ({ team_id }));
  const body = { label: "scoped", role: "team_admin", team_role_bindings };
  return (await service.manage("POST", `${orgPath()}/management_key`, { body })).body.key;
}

test("a team is created and listed [management-interface-03]", async () => {
  const { status, body } = await createTeam({ name: "Zürich (Étude) & Söhne’s", region: "us" });
  expect(status).toBe(200);
  const listed = {
    id: expect.any(String),
    name: "Zürich (Étude) & Söhne’s",
    region: "us",
    created_on: expect.stringMatching(/^\d{4}-.*Z$/),
    integration_team_id: null,
  };
  expect(body).toMatchObject({ ...listed, environments: ["sandbox"], production: null });
  expect((await search("söhne")).body.teams).toEqual([{ ...listed, id: body.id }]);
  expect((await search(body.id)).body.teams).toEqual([{ ...listed, id: body.id }]);
});

test("a team may have an id of the organization besides the id of the service, used once", async () => {
  const id = randomUUID();
  const { body } = await createTeam({ name: "Own id", region: "us", id });
  expect([body.integration_team_id, body.id === id]).toEqual([id, false]);
  const again = await createTeam({ name: "Own id again", region: "us", id });
  expect([again.status, again.body.code, again.body.detail.team_id]).toEqual([409, "conflict", body.id]);
});

test.each([
  { name: "", region: "us" },
  { name: "<b>", region: "us" },
  { name: "x".repeat(81), region: "us" },
  { name: "Far" },
])("a team %j is refused", async (body) => {
  expect((await createTeam(body)).status).toBe(422);
});

test("a deployment serves one region and environment", async () => {
  expect((await createTeam({ name: "Other region", region: "eu" })).status).toBe(422);
  const { body } = await createTeam({ name: "Here", region: "us" });
  expect((await createKey(body.id, "sandbox/eu")).status).toBe(404);
  expect((await createKey(body.id, "production/us")).status).toBe(404);
  expect((await createKey(body.id, "elsewhere/us")).status).toBe(404);
});

test("paths of an environment or region that is not served, known or not, answer 404", async () => {
  const { org_id, team_id } = service.identity;
  const paths = [
    ...["foo/us", "sandbox/mars", "production/us", "sandbox/eu"].map((place) => `team_api_keys/${place}`),
    `lab_account/sandbox/ca`,
    `team/${team_id}/foo/webhook`,
  ];
  const answers = await Promise.all(paths.map((path) => service.manage("GET", `/v1/org/${org_id}/${path}`)));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(paths.map(() => [404, "not_found"]));
});

test("a key is shown in full once, stored only as a hash, and valid at once on the main API", async () => {
  const team = (await createTeam({ name: "With a key", region: "us" })).body;
  const { status, body } = await createKey(team.id);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.any(String),
    label: "a key",
    value: expect.stringMatching(/^sk_us_/),
    team_id: team.id,
    lab: null,
    scopes: null,
    created_at: expect.any(String),
  });
  const made = await service.call("POST", "/v2/user", { body: { client_user_id: "first" }, key: body.value });
  expect([made.status, made.body.team_id]).toEqual([200, team.id]);
  expect(await findItemsContaining(service, body.value)).toEqual([]);
  expect((await createKey(randomUUID())).status).toBe(404);
});

test("the management API refuses a team key, and the main API a management key", async () => {
  const { api_key, management_key } = service.identity;
  const answers = [
    await listTeams("", { key: api_key }),
    await listTeams("", { key: null }),
    await listTeams("", { key: null, headers: { "x-service-api-key": management_key } }),
    await service.call("GET", "/v2/user", { key: management_key }),
    await service.call("GET", "/v2/user", { key: null }),
    await service.call("GET", "/v2/user", { key: null, headers: { "x-management-key": management_key } }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [401, "unauthorized"]));
});

test.each(["x-management-key", "X-Service-Org-Key", "X-Vital-Org-Key"])(
  "the management key is read from %s [authentication-02] [versioning-08]",
  async (name) => {
    const { management_key } = service.identity;
    expect((await listTeams("", { key: null, headers: { [name]: management_key } })).status).toBe(200);
  },
);

test.each(["x-service-api-key", "X-Vital-Api-Key"])("the team key is read from %s", async (name) => {
  const { api_key } = service.identity;
  expect((await service.call("GET", "/v2/user", { key: null, headers: { [name]: api_key } })).status).toBe(200);
});

test("another organization is unknown, from either side", async () => {
  const other = await createOtherOrganization(service);
  const foreign = await service.manage("GET", `${orgPath(other.org_id)}/team`);
  const unknown = await service.manage("GET", `${orgPath(randomUUID())}/team`);
  expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"]);
  expect({ ...foreign.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });
  const theirs = await service.manage("GET", `${orgPath(other.org_id)}/team`, { key: other.management_key });
  expect(theirs.body.teams).toMatchObject([{ id: other.team_id }]);
  expect((await listTeams("", { key: other.management_key })).status).toBe(404);
  expect((await createKey(other.team_id)).status).toBe(404);
});

test("a key that is bound to teams reaches those teams and no organization route [authentication-07] [authentication-08]", async () => {
  const mine = (await createTeam({ name: "Mine", region: "us" })).body.id;
  const other = (await createTeam({ name: "Not mine", region: "us" })).body.id;
  const key = await teamAdminKey([mine]);
  expect([(await listTeams("", { key })).status, (await createTeam({ name: "No", region: "us" }, key)).status]).toEqual(
    [403, 403],
  );
  const make = (team_id: string) =>
    service.manage("POST", `${orgPath()}/team_api_keys/sandbox/us`, { body: { label: "k", team_id }, key });
  expect([(await make(mine)).status, (await make(other)).status]).toEqual([200, 404]);
  expect((await service.call("GET", "/v2/user", { key })).status).toBe(401);
});

test.each([
  "http://example.com/hook",
  "https://127.0.0.1/hook",
  "https://10.0.0.1/hook",
  "https://[::1]/hook",
  "https://localhost/hook",
  "https://user:password@example.com/hook",
  "http://127.0.0.2:80/hook",
  "ftp://example.com/hook",
  "hook",
])("the webhook URL %s is refused", async (url) => {
  const { org_id, team_id } = service.identity;
  const answer = await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { body: { url } });
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ["body", "url"]]);
});
