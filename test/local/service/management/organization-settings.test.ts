// @module-tag story
import { globSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "../../../support/run-admin.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { findFunctionName, findItemsContaining, findItemsOutsideAccessLog } from "../support/stored-items.ts";
import { createOtherOrganization } from "./role-fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const ask = (method: string, path: string, body?: unknown, key?: string) =>
  service.manage(method, `${org()}${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
const team = async (body: object) => (await ask("POST", "/team", { name: "A team", region: "us", ...body })).body;
const apiKey = async (team_id: string, label = "a key") =>
  (await ask("POST", "/team_api_keys/sandbox/us", { label, team_id })).body;
const opens = async (key: string) => (await service.call("GET", "/v2/user", { key })).status;
/** All secrets created by these tests; the last test searches for them. */
const secrets: string[] = [];

test("an organization can be read and renamed, and has every feature without a plan [authentication-10]", async () => {
  const { org_id } = service.identity;
  expect((await ask("GET", "")).body).toEqual({ id: org_id, name: "First organization", expires_at: null });
  expect((await ask("PATCH", "", { name: "Renamed" })).body.name).toBe("Renamed");
  expect((await ask("GET", "")).body.name).toBe("Renamed");
  expect((await ask("PATCH", "", { name: "<b>" })).status).toBe(422);
});

test("member, invite, domain and embedding routes do not exist in a self-hosted deployment", async () => {
  for (const path of ["/member", "/invite", "/domain", "/ehr_integration", "/team_ehr_pipelines/sandbox/us"]) {
    const { status, body } = await ask("GET", path);
    expect([status, body.code]).toEqual([404, "route_not_found"]);
  }
});

test("an integration id identifies one team at a time", async () => {
  const { id } = await team({ integration_team_id: "ours-1" });
  const again = await ask("POST", "/team", { name: "Again", region: "us", integration_team_id: "ours-1" });
  expect([again.status, again.body.team_id, again.body.detail.team_id]).toEqual([409, id, id]);
  const resolve = async (integration_team_id: string) => ask("POST", "/resolve_team", { integration_team_id });
  expect((await resolve("ours-1")).body.id).toBe(id);
  const other = await team({ integration_team_id: "ours-2" });
  const refused = await ask("PATCH", `/team/${other.id}`, { integration_team_id: "ours-1" });
  expect([refused.status, refused.body.team_id]).toEqual([409, id]);
  const moved = await ask("PATCH", `/team/${id}`, { integration_team_id: "ours-3" });
  expect([moved.status, moved.body.integration_team_id]).toEqual([200, "ours-3"]);
  expect([(await resolve("ours-1")).status, (await resolve("ours-3")).body.id]).toEqual([404, id]);
  expect((await ask("PATCH", `/team/${other.id}`, { integration_team_id: "ours-1" })).status).toBe(200);
  const taken = await Promise.all(
    ["a", "b", "c"].map((name) => ask("POST", "/team", { name, region: "us", integration_team_id: "raced" })),
  );
  expect(taken.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test("settings are set at creation and changed later; settings of another environment are refused [endpoints-known-by-name-10]", async () => {
  const made = await team({ minor_ordering_enabled: true, brand_information: { company_name: "Example" } });
  expect(made.sandbox.brand_information).not.toHaveProperty("support_email");
  expect(made.sandbox).toMatchObject({ minor_ordering_enabled: true, partial_webhooks_enabled: false, features: [] });
  const sandbox = {
    partial_webhooks_enabled: true,
    features: ["insurance"],
    brand_information: { brand_color: "teal" },
  };
  const changed = await ask("PATCH", `/team/${made.id}`, { name: "Changed", sandbox });
  expect(changed.body).toMatchObject({
    name: "Changed",
    production: null,
    sandbox: {
      minor_ordering_enabled: true,
      partial_webhooks_enabled: true,
      features: ["insurance"],
      brand_information: { company_name: "Example", brand_color: "teal" },
    },
  });
  expect((await ask("GET", `/team/${made.id}`)).body).toMatchObject({ environments: ["sandbox"], sandbox: null });
  const whole = await ask("GET", `/team/${made.id}?include_environment=sandbox&include_environment=production`);
  expect(whole.body).toEqual(changed.body);
  expect((await ask("PATCH", `/team/${made.id}`, { production: {} })).status).toBe(422);
  expect(
    (await ask("PATCH", `/team/${made.id}`, { sandbox: { brand_information: { company_name: "" } } })).status,
  ).toBe(422);
  const { value } = await apiKey(made.id);
  secrets.push(value);
  expect((await service.call("GET", `/v3/insurance/search/payor`, { key: value })).status).not.toBe(401);
});

test("concurrent changes of a team are all stored", async () => {
  const { id } = await team({});
  const names = ["minor_ordering_enabled", "partial_webhooks_enabled", "reject_duplicate_connection"];
  const changes = names.map((name) => ask("PATCH", `/team/${id}`, { sandbox: { [name]: true } }));
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const { sandbox } = (await ask("GET", `/team/${id}?include_environment=sandbox`)).body;
  expect(names.map((name) => sandbox[name])).toEqual([true, true, true]);
});

test("two API keys of a team are valid during a rotation; the old one is invalid within a minute of its deletion [authentication-05]", async () => {
  const { id } = await team({});
  const [old, next] = [await apiKey(id, "old"), await apiKey(id, "next")];
  secrets.push(old.value, next.value);
  expect([await opens(old.value), await opens(next.value)]).toEqual([200, 200]);
  const list = async () => (await ask("GET", `/team_api_keys/sandbox/us?team_id=${id}`)).body.api_keys;
  const listed = await list();
  expect(listed.map(({ label }: { label: string }) => label)).toEqual(["old", "next"]);
  expect(listed[0]).toEqual({
    id: old.id,
    label: "old",
    value: `${old.value.slice(0, 14)}_…${old.value.slice(-4)}`,
    team_id: id,
    created_at: old.created_at,
    lab: null,
    scopes: null,
    retired_at: null,
    last_used_at: expect.any(String),
  });
  const removed = await ask("DELETE", `/team_api_keys/sandbox/us?api_key_id=${old.id}&api_key_id=${id}`);
  expect(removed.body).toEqual({ success: [old.id], failure: [], not_found: [id] });
  await service.advance(MINUTE_MS);
  expect([await opens(old.value), await opens(next.value)]).toEqual([401, 200]);
  expect((await list()).map(({ label }: { label: string }) => label)).toEqual(["next"]);
});

test("the last use of a key is reported to the minute", async () => {
  const { id } = await team({});
  const { value } = await apiKey(id);
  secrets.push(value);
  const lastUse = async () =>
    (await ask("GET", `/team_api_keys/sandbox/us?team_id=${id}`)).body.api_keys[0].last_used_at;
  expect(await lastUse()).toBeNull();
  await opens(value);
  await expect.poll(lastUse).toEqual(expect.any(String));
  const first = await lastUse();
  await service.advance(MINUTE_MS / 2);
  await opens(value);
  await service.call("GET", "/v2/providers", { key: value });
  expect([await lastUse(), await lastUse()]).toEqual([first, first]);
  await service.advance(2 * MINUTE_MS);
  await opens(value);
  await expect.poll(async () => Date.parse(await lastUse()) - Date.parse(first)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
});

test("a management key for several teams is created, listed, bound to other teams and deleted [authentication-09] [endpoints-known-by-name-09]", async () => {
  const [one, two, three] = [await team({}), await team({}), await team({})];
  const bindings = (...teams: { id: string }[]) => teams.map(({ id }) => ({ team_id: id }));
  const body = { label: "two teams", role: "team_admin", team_role_bindings: bindings(one, two) };
  const { status, body: made } = await ask("POST", "/management_key", body);
  secrets.push(made.key);
  expect([status, made.role, made.team_role_bindings]).toEqual([200, "team_admin", bindings(one, two)]);
  const reach = async (id: string) => (await ask("GET", `/team/${id}`, undefined, made.key)).status;
  expect([await reach(one.id), await reach(two.id), await reach(three.id)]).toEqual([200, 200, 404]);
  const { key: _, last_used_at: __, ...shown } = made;
  const found = (await ask("GET", `/management_key?team_id=${two.id}`)).body.data;
  expect(found).toEqual([
    { ...shown, value: `${made.key.slice(0, 11)}_…${made.key.slice(-4)}`, last_used_at: expect.any(String) },
  ]);
  expect((await ask("GET", "/management_key?role=org_admin")).body.data.length).toBeGreaterThan(0);
  const patched = await ask("PATCH", `/management_key/${made.id}`, {
    label: "third",
    team_role_bindings: bindings(three),
  });
  expect(patched.body).toMatchObject({ label: "third", team_role_bindings: bindings(three) });
  await service.advance(MINUTE_MS);
  expect([await reach(one.id), await reach(three.id)]).toEqual([404, 200]);
  expect((await ask("DELETE", `/management_key/${made.id}`)).body).toEqual({ success: true });
  expect((await ask("DELETE", `/management_key/${made.id}`)).status).toBe(404);
  await service.advance(MINUTE_MS);
  expect(await reach(three.id)).toBe(401);
});

test("a management key is bound to teams of its organization, or to none", async () => {
  const other = await createOtherOrganization(service);
  const { id } = await team({});
  const make = async (body: object) => (await ask("POST", "/management_key", { label: "no", ...body })).status;
  expect(await make({ role: "team_admin" })).toBe(422);
  expect(await make({ role: "team_admin", team_role_bindings: [] })).toBe(422);
  expect(await make({ role: "team_admin", team_role_bindings: [{ team_id: other.team_id }] })).toBe(422);
  expect(await make({ role: "org_admin", team_role_bindings: [{ team_id: id }] })).toBe(422);
  expect(await make({ role: "owner" })).toBe(422);
});

test.each(["create_api_access_token", "create_access_token"])(
  "%s issues a token for ten minutes on the main API",
  async (name) => {
    const { id } = await team({});
    const { status, body } = await ask("POST", `/team/${id}/${name}`, { env: "sandbox" });
    expect([status, body.expires_in]).toEqual([200, 600]);
    secrets.push(body.access_token);
    const use = async (headers: Record<string, string>) =>
      (await service.call("GET", "/v2/user", { key: null, headers })).status;
    const bearer = { authorization: `Bearer ${body.access_token}` };
    expect(await use(bearer)).toBe(200);
    expect(await use({ "x-service-api-key": body.access_token })).toBe(401);
    await service.advance(9 * MINUTE_MS);
    expect(await use(bearer)).toBe(200);
    await service.advance(MINUTE_MS);
    expect(await use(bearer)).toBe(401);
    expect((await ask("POST", `/team/${id}/${name}`, { env: "production" })).status).toBe(404);
  },
);

test("data pull preferences are set for teams, listed up to a limit, and removed", async () => {
  const { id } = await team({});
  const providers = {
    oura: { default: { historical_days_to_pull: 30 }, resource_overrides: { sleep: { historical_days_to_pull: 90 } } },
  };
  const path = "/team_data_pull_preferences/sandbox/us";
  const set = await ask("POST", path, { team_ids: [id], providers });
  expect(set.body.data_pull_preferences).toEqual([
    {
      team_id: id,
      providers: {
        oura: {
          default: { historical_days_to_pull: 30, historical_days_to_pull_limit: 365 },
          resource_overrides: { sleep: { historical_days_to_pull: 90, historical_days_to_pull_limit: 365 } },
        },
      },
    },
  ]);
  expect((await ask("GET", path)).body.data_pull_preferences).toEqual(set.body.data_pull_preferences);
  const far = { oura: { default: { historical_days_to_pull: 366 } } };
  expect((await ask("POST", path, { team_ids: [id], providers: far })).status).toBe(422);
  expect((await ask("POST", path, { team_ids: [id], providers: { elsewhere: providers.oura } })).status).toBe(422);
  expect((await ask("DELETE", `${path}?team_id=${id}`)).body).toEqual({ success: true });
  expect((await ask("DELETE", `${path}?team_id=${id}`)).status).toBe(404);
});

test("custom credentials can be set and are never returned", async () => {
  const { id } = await team({});
  const [client_secret, token] = ["canary-client-secret", "canary-verify-token"];
  secrets.push(client_secret, token);
  const path = "/team_custom_credentials/sandbox/us";
  const draft = { team_id: id, provider: "fitbit", client_id: "app", client_secret, details: { fitbit: { token } } };
  const { status, body } = await ask("POST", path, draft);
  expect([status, body.client_id, body.details, body.client_secret_hash]).toEqual([
    200,
    "app",
    null,
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  const replaced = await ask("POST", path, { ...draft, client_id: "other" });
  expect([replaced.body.id, replaced.body.created_at, replaced.body.client_id]).toEqual([
    body.id,
    body.created_at,
    "other",
  ]);
  expect((await ask("GET", path)).body.credentials).toEqual([replaced.body]);
  const prepare = (provider: string) =>
    ask("POST", "/prepare_team_custom_credentials/sandbox/us", { team_id: id, provider });
  expect((await prepare("fitbit")).body).toMatchObject({
    status: "preparations_required",
    preparation_steps: [{ type: "redirect_uri" }],
  });
  expect((await prepare("quest")).body).toEqual({ status: "no_action_needed", preparation_steps: [] });
  const gone = await ask("DELETE", `${path}?team_id=${id}&credential_id=${body.id}&credential_id=${id}`);
  expect(gone.body).toEqual({ success: [body.id], failure: [], not_found: [id] });
});

test.each(["getlabs", "phlebfinders", "sonora_quest"])(
  "custom credentials can be set at the appointment provider %s, which needs no preparation",
  async (provider) => {
    const { id } = await team({});
    const path = "/team_custom_credentials/sandbox/us";
    const { status, body } = await ask("POST", path, { team_id: id, provider, client_id: "app" });
    expect([status, body.source]).toEqual([200, provider]);
    expect((await ask("GET", `${path}?team_id=${id}`)).body.credentials).toEqual([body]);
    const prepared = await ask("POST", "/prepare_team_custom_credentials/sandbox/us", { team_id: id, provider });
    expect(prepared.body).toEqual({ status: "no_action_needed", preparation_steps: [] });
    expect((await ask("POST", path, { team_id: id, provider: "unheard_of" })).status).toBe(422);
  },
);

test("scope requirements are set provider by provider", async () => {
  const { id } = await team({});
  const path = `/team/${id}/scope_requirements`;
  const oura = { user_must_grant: ["daily"], user_may_grant: ["heartrate"] };
  await ask("POST", path, { oura });
  const strava = { user_must_grant: ["activity:read_all"], user_may_grant: [] };
  await ask("POST", path, { strava });
  expect((await ask("GET", path)).body.requirements).toEqual([
    { team_id: id, provider: "oura", ...oura },
    { team_id: id, provider: "strava", ...strava },
  ]);
  expect((await ask("POST", path, { oura: null })).body.requirements).toEqual([
    { team_id: id, provider: "strava", ...strava },
  ]);
  expect((await ask("POST", path, { oura: { ...oura, user_may_grant: ["daily"] } })).status).toBe(422);
  expect((await ask("POST", path, { oura: { ...oura, user_may_grant: ["everything"] } })).status).toBe(422);
});

/** Creates a team with a user and one of every resource that a team can have. */
async function wholeTeam(integration_team_id: string) {
  const { id } = await team({ integration_team_id });
  const { value } = await apiKey(id);
  secrets.push(value);
  await ask("POST", "/team_data_pull_preferences/sandbox/us", { team_ids: [id], providers: {} });
  await ask("POST", "/team_custom_credentials/sandbox/us", {
    team_id: id,
    provider: "oura",
    client_secret: "a secret",
  });
  await ask("POST", `/team/${id}/scope_requirements`, { oura: null });
  await ask("POST", `/team/${id}/sandbox/webhook`, { url: "https://example.com/hook" });
  return { id, value, userId: await service.createUser("someone", value) };
}

test("a deleted team is 404 at once, its keys are invalid within a minute, and it can be restored for seven days", {
  tags: "deep",
}, async () => {
  const { id, value } = await wholeTeam("deleted-1");
  expect(await opens(value)).toBe(200);
  const first = await ask("DELETE", `/team/${id}`);
  expect([first.status, first.body]).toEqual([200, { success: true }]);
  expect((await ask("DELETE", `/team/${id}`)).body).toEqual({ success: true });
  expect((await ask("GET", `/team/${id}`)).status).toBe(404);
  expect((await ask("GET", `/team?team_id=${id}`)).body.teams).toEqual([]);
  expect((await ask("POST", "/resolve_team", { integration_team_id: "deleted-1" })).status).toBe(404);
  await service.advance(MINUTE_MS);
  expect(await opens(value)).toBe(401);
  await service.advance(6 * DAY_MS);
  expect((await ask("POST", `/team/${id}/undo_delete`)).body).toEqual({ success: true });
  expect((await ask("POST", `/team/${id}/undo_delete`)).status).toBe(400);
  expect([(await ask("GET", `/team/${id}`)).body.integration_team_id, await opens(value)]).toEqual(["deleted-1", 200]);
  expect((await service.call("GET", "/v2/user", { key: value })).body.total).toBe(1);
});

test("a team cannot be restored after another team takes its integration id", async () => {
  const { id } = await team({ integration_team_id: "deleted-2" });
  await ask("DELETE", `/team/${id}`);
  await team({ integration_team_id: "deleted-2" });
  const refused = await ask("POST", `/team/${id}/undo_delete`);
  expect([refused.status, refused.body.code]).toEqual([400, "undo_refused"]);
});

test("a team is erased after seven days, with its users and all its resources", {
  tags: "deep",
}, async () => {
  const { id, userId } = await wholeTeam("deleted-3");
  await ask("DELETE", `/team/${id}`);
  await service.advance(7 * DAY_MS + 60 * MINUTE_MS);
  expect((await ask("POST", `/team/${id}/undo_delete`)).status).toBe(404);
  expect(await findItemsContaining(service, userId)).toEqual([]);
  const left = await findItemsOutsideAccessLog(service, id);
  expect(left.filter((item) => !/audit(_chain)?#|erasure#/.test(item))).toEqual([]);
  // The certificate of its user, whose data must not return from a backup.
  expect(left.filter((item) => item.includes("erasure#"))).toHaveLength(1);
});

test("a team waits for the erasures of its users, even for one whose start was lost", {
  tags: "deep",
}, async () => {
  const { id, userId } = await wholeTeam("deleted-4");
  await ask("DELETE", `/team/${id}`);
  for (const name of ["eraseTeams", "sweepDeletions"]) {
    service.cloud.faults.add({ service: "states", function: findFunctionName(service, name), mode: "fail_before" });
  }
  await service.advance(7 * DAY_MS + 60 * MINUTE_MS);
  expect(await findItemsContaining(service, userId)).not.toEqual([]);
  expect(await findItemsOutsideAccessLog(service, `custom_credentials#${id}`)).not.toEqual([]);
  service.cloud.faults.clear();
  await service.advance(2 * 60 * MINUTE_MS);
  expect(await findItemsContaining(service, userId)).toEqual([]);
  expect(await findItemsOutsideAccessLog(service, `custom_credentials#${id}`)).toEqual([]);
});

const admin = (words: readonly string[]) => runAdmin(service, words);

test("the operator creates an organization with AWS credentials, and another key for it", {
  tags: "deep",
}, async () => {
  const made = JSON.parse((await admin(["create-org", "--name", "By hand"])).text);
  const read = async (key: string): Promise<Answer> => service.manage("GET", `/v1/org/${made.org_id}`, { key });
  expect((await read(made.management_key)).body.name).toBe("By hand");
  const another = JSON.parse((await admin(["create-management-key", "--org", made.org_id])).text);
  expect((await read(another.management_key)).status).toBe(200);
  secrets.push(made.management_key, another.management_key);
  const refusals = await Promise.all([
    admin(["create-org", "--name", "Elsewhere", "--stack", "Elsewhere"]),
    admin(["create-org", "--name", "<b>"]),
    admin(["create-management-key", "--org", crypto.randomUUID()]),
    admin(["create-org"]),
    admin(["destroy"]),
  ]);
  expect(refusals.map(({ code, text }) => [code, text.split(/[\n,]/)[0]?.slice(0, 60)])).toEqual([
    [1, expect.stringContaining("no stack Elsewhere-Data is deployed")],
    [1, expect.stringContaining("--name must have at most 80")],
    [1, expect.stringContaining("the organization does not exist")],
    [2, "error: --name is required"],
    [2, "error: unknown command 'destroy'"],
  ]);
});

test("no key, token or secret is stored, queued or logged in plain text", { tags: "deep" }, async () => {
  expect(secrets.length).toBeGreaterThan(10);
  const files = globSync(`${service.data.path}/**/*`).filter((file) => statSync(file).isFile());
  const contents = files.map((file) => [file, readFileSync(file)] as const);
  expect(contents.length).toBeGreaterThan(2);
  // The search finds a stored value, which proves that the search works.
  expect(contents.some(([, bytes]) => bytes.includes("deleted-1"))).toBe(true);
  for (const secret of new Set(secrets)) {
    expect(await findItemsContaining(service, secret)).toEqual([]);
    expect(contents.filter(([, bytes]) => bytes.includes(secret)).map(([file]) => file)).toEqual([]);
  }
});
