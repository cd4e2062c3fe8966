// @module-tag story
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";

const MINUTE_MS = 60_000;
const provider = "oura";

let service: TestService;
let ada: string;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 2);
  ada = await service.createUser("ada");
  await connectAccount(service, ada, "ada");
  await service.settle();
}, 120_000);
afterAll(() => service.stop());

/** Users whose connections are polled while time passes. */
const polled: string[] = [];
const connected = async (name: string) => {
  const userId = await service.createUser(name);
  polled.push(userId);
  await connectAccount(service, userId, name);
  await service.settle();
  return userId;
};
const refresh = (userId: string) => service.call("POST", `/v2/user/refresh/${userId}`);
const bulk = async (what: string, body: object) =>
  service.call("POST", `/v2/link/bulk_${what}`, { body: { provider, ...body } });
const exported = async (userId: string) => (await bulk("export", { user_ids: [userId] })).body.data[0];
const statusOf = async (userId: string) =>
  (await service.call("GET", `/v2/user/providers/${userId}`)).body.providers[0]?.status;
const simulator = () => service.started.service.providers.provider(provider);
/** Counts the data requests to providers. */
const asked = () =>
  service.started.service.providers.requests.filter(({ path }) => path.includes("usercollection")).length;
const introspect = async (what: string, query = "") =>
  (await service.call("GET", `/v2/introspect/${what}?provider=${provider}${query}`)).body;
const resourcesOf = async (userId: string) =>
  (await introspect("resources", `&user_id=${userId}`)).data[0].provider[provider];
const historiesOf = async (userId: string) =>
  (await introspect("historical_pull", `&user_id=${userId}`)).data[0].provider[provider];

describe("a refresh", () => {
  test("pulls new data at once, and is allowed 8 times an hour", { tags: "deep" }, async () => {
    const user = await connected("bea");
    const before = asked();
    const first = await refresh(user);
    expect([first.status, first.body]).toEqual([
      200,
      { success: true, user_id: user, refreshed_sources: [provider], in_progress_sources: [], failed_sources: [] },
    ]);
    expect(asked()).toBeGreaterThan(before);
    const more = await Promise.all(Array.from({ length: 9 }, () => refresh(user)));
    expect(more.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = more.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_000);
    await service.advance(61 * MINUTE_MS);
    expect((await refresh(user)).status).toBe(200);
  });

  test("reports failures, and answers 202 if it takes longer than 25 seconds", { tags: "deep" }, async () => {
    const user = await connected("cleo");
    simulator().setSwitches({ rate_limited: 1 });
    expect((await refresh(user)).body).toMatchObject({ refreshed_sources: [], failed_sources: [provider] });
    service.cloud.faults.add({
      service: "dynamodb",
      function: findFunctionName(service, "pullConnection"),
      mode: "fail_before",
    });
    const waiting = refresh(user);
    const wait = setInterval(() => void service.cloud.advance(26_000, async () => {}), 2_000);
    const { status, body } = await waiting;
    clearInterval(wait);
    service.cloud.faults.clear();
    expect([status, body.in_progress_sources]).toEqual([202, [provider]]);
    await service.advance(20 * MINUTE_MS);
    expect((await resourcesOf(user)).sleep.last_attempt.status).toBe("success");
  });

  test("of an unknown user, or with an invalid timeout, is refused", async () => {
    expect((await refresh("5b1d6f0e-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await service.call("POST", `/v2/user/refresh/${ada}?timeout=1`)).status).toBe(422);
  });
});

test("a provider without pushes is polled every hour, and one with pushes after a day without any", {
  tags: "deep",
  timeout: 240_000,
}, async () => {
  const user = await service.createUser("gus");
  await setPullDays(service, 0, "dexcom_v3");
  await connectAccount(service, user, "gus", "dexcom_v3");
  await service.advance(MINUTE_MS);
  const readings = () => service.started.service.providers.requests.filter(({ path }) => path.includes("/egvs")).length;
  const before = { readings: readings(), asked: asked() };
  await service.advance(30 * MINUTE_MS);
  expect(readings()).toBe(before.readings);
  await service.advance(60 * MINUTE_MS);
  expect(readings()).toBeGreaterThan(before.readings);
  expect(asked()).toBe(before.asked);
  const { data } = (await service.call("GET", `/v2/introspect/resources?provider=dexcom_v3&user_id=${user}`)).body;
  expect(data[0].provider.dexcom_v3.glucose).toMatchObject({ last_attempt: { status: "success" } });
  await service.advance(24 * 60 * MINUTE_MS);
  expect(asked()).toBeGreaterThan(before.asked);
  expect((await resourcesOf(ada)).activity).toMatchObject({
    last_attempt: { status: "success" },
    oldest_data: expect.any(String),
    sent_count: expect.any(Number),
  });
  await service.call("DELETE", `/v2/user/${user}/dexcom_v3`);
  await setPullDays(service, 2);
});

describe("introspection", () => {
  test("reports the progress of histories, page by page", async () => {
    const { pulled, not_pulled } = await historiesOf(ada);
    expect(not_pulled).toEqual([]);
    expect(pulled.activity).toMatchObject({ status: "success", error_details: null });
    expect(pulled.activity.days_with_data).toBeGreaterThan(0);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await introspect("historical_pull", `&user_limit=1${cursor && `&next_cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(1);
      seen.push(...page.data.map(({ user_id }: { user_id: string }) => user_id));
      cursor = page.next_cursor;
    }
    expect(seen).toContain(ada);
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect((await service.call("GET", "/v2/introspect/resources?next_cursor=made-up")).status).toBe(422);
  });

  test.each(["resources", "historical_pull"])("of %s refuses an unknown provider", async (what) => {
    const { status, body } = await service.call("GET", `/v2/introspect/${what}?provider=zzz`);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ["query", "provider"]]);
    expect((await service.call("GET", `/v2/introspect/${what}?provider=`)).status).toBe(200);
  });

  test("reports a history that the provider delays as retrying [other-states-05]", async () => {
    const user = await service.createUser("dora");
    // The link itself sends one request.
    await connectAccount(service, user, "dora");
    await service.settle();
    simulator().setSwitches({ rate_limited: 1 });
    expect((await bulk("trigger_historical_pull", { user_ids: [user], wait_for_completion: true })).status).toBe(200);
    await service.settle();
    const { pulled } = await historiesOf(user);
    const held = Object.values(pulled as Record<string, { status: string }>).filter(
      ({ status }) => status === "retrying",
    );
    expect(held).toMatchObject([{ error_details: "provider_rate_limit_exceeded" }]);
    await service.advance(10 * MINUTE_MS);
    expect((await historiesOf(user)).pulled.sleep.status).toBe("success");
  });
});

describe("an export", () => {
  test("is disabled for a team until it is enabled [linking-19]", async () => {
    const { key } = await service.createTeam("Without export");
    const answer = await service.call("POST", "/v2/link/bulk_export", { key, body: { provider } });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  });

  test("needs a provider, and returns the recipes of some or all users, page by page [linking-20] [linking-21] [linking-22] [linking-23]", async () => {
    expect((await service.call("POST", "/v2/link/bulk_export", { body: {} })).status).toBe(422);
    expect((await bulk("export", { user_ids: [ada] })).body).toEqual({ data: [expect.anything()], next_token: null });
    const ids: string[] = [];
    let next_token: string | null = null;
    let pages = 0;
    const many = Array.from({ length: 51 }, (_, index) => `import-${index}`);
    const users = await Promise.all(many.map((name) => service.createUser(name)));
    const recipes = users.map((user_id, index) => recipe(user_id, `account-${index}`));
    expect((await bulk("import", { connections: recipes, wait_for_completion: true })).body.user_ids_failed).toEqual(
      [],
    );
    do {
      const { body } = await bulk("export", { user_ids: null, next_token });
      ids.push(...body.data.map(({ user_id }: { user_id: string }) => user_id));
      next_token = body.next_token;
      pages += 1;
    } while (next_token !== null);
    expect(pages).toBe(2);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(expect.arrayContaining([ada, ...users]));
    expect((await bulk("export", { next_token: "made-up" })).status).toBe(422);
    await bulk("pause", { user_ids: users });
  });

  test("contains the live credentials, which connect the same account elsewhere [connection-recipe-fields-01] [connection-recipe-fields-02] [connection-recipe-fields-03]", async () => {
    const recipe = await exported(ada);
    expect(recipe).toEqual({
      user_id: ada,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      provider_id: expect.any(String),
      expires_at: expect.any(Number),
      oauth_scopes: expect.arrayContaining(["daily"]),
    });
    expect(Number.isInteger(recipe.expires_at)).toBe(true);
    const other = await service.createUser("ada elsewhere");
    await bulk("import", { connections: [{ ...recipe, user_id: other }], wait_for_completion: true });
    expect((await refresh(other)).body.refreshed_sources).toEqual([provider]);
  });

  test("is recorded in the audit log, page by page, without its content", async () => {
    const { org_id, team_id } = service.identity;
    const count = async () => {
      const { body } = await service.manage("GET", `/v1/org/${org_id}/audit_log`);
      return body.entries.filter(({ operation }: { operation: string }) => operation === "bulkExport");
    };
    const before = (await count()).length;
    await exported(ada);
    const entries = await count();
    expect(entries).toHaveLength(before + 1);
    expect(entries[0]).toMatchObject({ target: { team_id, provider }, status: 200 });
  });
});

/** A recipe of a connection from elsewhere, with tokens that the provider never issued. */
const recipe = (user_id: string, provider_id: string) => ({
  user_id,
  access_token: "access",
  refresh_token: "refresh",
  provider_id,
  expires_at: 4_000_000_000,
  oauth_scopes: ["personal", "daily"],
});

test("an import counts connectable and other users, runs once, and is listed", { tags: "deep" }, async () => {
  const user = await service.createUser("eli");
  const unknown = "5b1d6f0e-0000-4000-8000-000000000000";
  const connections = [recipe(user, "eli"), recipe(unknown, "nobody")];
  const answer = await bulk("import", { connections, wait_for_completion: true });
  expect([answer.status, answer.body]).toEqual([200, { user_ids_imported: [user], user_ids_failed: [unknown] }]);
  expect(await statusOf(user)).toBe("connected");
  const later = await bulk("import", { connections: [recipe(user, "eli")] });
  expect([later.status, later.body ?? ""]).toEqual([202, ""]);
  await service.settle();
  const { body } = await service.call("GET", "/v2/link/bulk_op?page_size=2");
  expect(body.data).toMatchObject([
    { type: "link_bulk_import", status: "success", provider, pending: 0, processed: 1 },
    { type: "link_bulk_import", status: "success", provider, pending: 0, processed: 2 },
  ]);
  const next = await service.call("GET", `/v2/link/bulk_op?page_size=1&next_cursor=${body.next_cursor}`);
  expect(next.body.data).toHaveLength(1);
  const events = (await service.inbox("provider.connection.created")).filter(({ body }) => body.user_id === user);
  expect(events).toHaveLength(2);
  // A token that the provider refuses ends the connection with an error.
  expect((await refresh(user)).body).toMatchObject({ failed_sources: [provider] });
  expect(await statusOf(user)).toBe("error");
});

test("a history whose older part Garmin refuses succeeds with the rest", { tags: "deep" }, async () => {
  await setPullDays(service, 90, "garmin");
  const user = await service.createUser("hal");
  await connectAccount(service, user, "hal", "garmin");
  await service.settle();
  // The provider accepts a hundred backfill requests a minute.
  for (let minute = 0; minute < 10; minute++) await service.advance(2 * MINUTE_MS);
  const { data } = await service
    .call("GET", `/v2/introspect/historical_pull?provider=garmin&user_id=${user}`)
    .then(({ body }) => body);
  const pulls: { status: string; error_details: unknown }[] = Object.values(data[0].provider.garmin.pulled);
  expect(pulls.length).toBeGreaterThan(3);
  expect(pulls.map(({ status }) => status)).toEqual(pulls.map(() => "success"));
});

test("a paused connection is neither pulled nor refreshed [linking-24]", async () => {
  const user = await connected("fay");
  const before = await exported(user);
  const paused = [...polled, ada];
  expect((await bulk("pause", { user_ids: paused })).body).toEqual({ user_ids_paused: paused, user_ids_failed: [] });
  expect(await statusOf(user)).toBe("paused");
  const attempts = await resourcesOf(user);
  simulator().tokens.expireAccessTokens();
  await service.advance(2 * 60 * MINUTE_MS);
  expect(await exported(user)).toEqual(before);
  expect(await resourcesOf(user)).toEqual(attempts);
  expect((await refresh(user)).body).toMatchObject({ refreshed_sources: [], failed_sources: [] });
  const triggered = await bulk("trigger_historical_pull", { user_ids: [user], wait_for_completion: true });
  expect(triggered.body).toEqual({ user_ids_started: [], user_ids_failed: [user] });
  await connectAccount(service, user, "fay");
  expect(await statusOf(user)).toBe("connected");
});
