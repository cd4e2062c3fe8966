import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const get = (userId: string) => service.call("GET", `/v2/user/${userId}`);
const patch = (userId: string, body: unknown) => service.call("PATCH", `/v2/user/${userId}`, { body });
const create = (body: unknown) => service.call("POST", "/v2/user", { body });

test("create returns every field of the user, and get returns the same [user-fields-01] [user-fields-02] [user-fields-04] [user-fields-05] [user-fields-06] [users-01]", async () => {
  const draft = {
    client_user_id: "full",
    fallback_time_zone: "Europe/Berlin",
    fallback_birth_date: "1980-02-29",
    ingestion_start: "2020-01-01",
    ingestion_end: "2030-12-31",
  };
  const made = await create(draft);
  expect(made.status).toBe(200);
  const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(made.body).toEqual({
    user_id: expect.stringMatching(UUID),
    team_id: service.identity.team_id,
    client_user_id: "full",
    created_on: now,
    connected_sources: [],
    fallback_time_zone: { id: "Europe/Berlin", source_slug: "manual", updated_at: now },
    fallback_birth_date: { value: "1980-02-29", source_slug: "manual", updated_at: now },
    ingestion_start: "2020-01-01",
    ingestion_end: "2030-12-31",
  });
  expect((await get(made.body.user_id)).body).toEqual(made.body);
});

test("a user without settings has UTC as its time zone and nulls elsewhere", async () => {
  const { body } = await create({ client_user_id: "bare" });
  expect(body.fallback_time_zone.id).toBe("UTC");
  expect([body.fallback_birth_date, body.ingestion_start, body.ingestion_end]).toEqual([null, null, null]);
});

test("a refusal of a used client_user_id names its holder at the top level and in detail [errors-01] [errors-02]", async () => {
  const first = await create({ client_user_id: "taken" });
  const { user_id, created_on } = first.body;
  const second = await create({ client_user_id: "taken" });
  expect(second.status).toBe(400);
  expect(second.body).toEqual({
    detail: { error_type: "INVALID_REQUEST", error_message: expect.any(String), user_id, created_on },
    code: "client_user_id_taken",
    request_id: expect.any(String),
    user_id,
    created_on,
  });
});

test("exactly one of many concurrent creations with one client_user_id succeeds [service-01]", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ client_user_id: "rush" })));
  const ids = new Set(answers.map(({ body }) => body.user_id));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  expect(ids.size).toBe(1);
});

test("two teams may use the same client_user_id", async () => {
  const { key, teamId } = await service.createTeam("Same reference");
  const userId = await service.createUser("in-both");
  const other = await service.call("POST", "/v2/user", { body: { client_user_id: "in-both" }, key });
  expect(other.body).toMatchObject({ client_user_id: "in-both", team_id: teamId });
  expect(other.body.user_id).not.toBe(userId);
});

test("a connected source is returned with its name, slug and logo [user-fields-03]", async () => {
  const user_id = await service.createUser("connected");
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "freestyle_libre" } });
  const logo = expect.stringMatching(/^http.*freestyle_libre/);
  const source = { name: "Freestyle Libre", slug: "freestyle_libre", logo };
  expect((await get(user_id)).body.connected_sources).toEqual([
    { created_on: expect.any(String), source, provider: source },
  ]);
});

test("the list returns users in order of creation, by offset and limit, with their total", {
  tags: "deep",
}, async () => {
  const { key } = await service.createTeam("Listing");
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) ids.push(await service.createUser(name, key));
  const list = async (query: string) => (await service.call("GET", `/v2/user${query}`, { key })).body;
  const idsOf = (page: { users: { user_id: string }[] }) => page.users.map(({ user_id }) => user_id);
  expect(await list("")).toMatchObject({ total: 5, offset: 0, limit: 100 });
  expect(idsOf(await list(""))).toEqual(ids);
  expect(idsOf(await list("?offset=1&limit=2"))).toEqual(ids.slice(1, 3));
  expect(await list("?offset=4&limit=2")).toMatchObject({ total: 5, offset: 4, limit: 2 });
  expect(idsOf(await list("?offset=4&limit=2"))).toEqual(ids.slice(4));
  expect(idsOf(await list("?offset=5"))).toEqual([]);
});

test.each(["offset=-1", "limit=0", "limit=501", "limit=many", "limit=1.5", "limit="])(
  "the list refuses %s",
  async (query) => {
    const { status, body } = await service.call("GET", `/v2/user?${query}`);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ["query", query.split("=")[0]]]);
  },
);

test("a date of birth before 1900 is refused", async () => {
  const { status, body } = await create({ client_user_id: "too old", fallback_birth_date: "1899-12-31" });
  expect([status, body.detail[0].loc]).toEqual([422, ["body", "fallback_birth_date"]]);
});

test("a patch changes only the given settings and answers 204 without a body", async () => {
  const userId = await service.createUser("patched");
  const before = (await get(userId)).body;
  const changed = await patch(userId, { fallback_time_zone: "Asia/Tokyo" });
  expect([changed.status, changed.body]).toEqual([204, ""]);
  await patch(userId, { fallback_birth_date: "1990-01-02" });
  await patch(userId, { ingestion_start: "2024-01-01" });
  await patch(userId, { ingestion_end: "2025-01-01" });
  expect((await get(userId)).body).toEqual({
    ...before,
    fallback_time_zone: { id: "Asia/Tokyo", source_slug: "manual", updated_at: expect.any(String) },
    fallback_birth_date: { value: "1990-01-02", source_slug: "manual", updated_at: expect.any(String) },
    ingestion_start: "2024-01-01",
    ingestion_end: "2025-01-01",
  });
  await patch(userId, { ingestion_start: null, ingestion_end: null });
  expect((await get(userId)).body).toMatchObject({ ingestion_start: null, ingestion_end: null });
  const cleared = await patch(userId, { fallback_birth_date: null, fallback_time_zone: null });
  expect(cleared.status).toBe(204);
  expect((await get(userId)).body).toMatchObject({
    fallback_birth_date: null,
    fallback_time_zone: { id: "UTC", source_slug: "manual" },
  });
  expect((await patch(userId, { fallback_birth_date: null })).status).toBe(204);
});

test.each([
  { fallback_time_zone: "Moon/Tycho" },
  { fallback_time_zone: "+05:30" },
  { fallback_birth_date: "2023-02-29" },
  { ingestion_start: "yesterday" },
  { ingestion_end: 20250101 },
  { client_user_id: "" },
])("a patch with %j is refused and changes nothing", async (body) => {
  const name = `refused ${JSON.stringify(body)}`;
  const userId = await service.createUser(name);
  const before = (await get(userId)).body;
  expect((await patch(userId, { ingestion_start: "2024-01-01", ...body })).status).toBe(422);
  expect((await get(userId)).body).toEqual(before);
});

test.each([
  ["ingestion_end", { ingestion_start: "2026-05-02", ingestion_end: "2026-05-01" }],
  ["fallback_birth_date", { fallback_birth_date: "2099-04-01" }],
])("create and patch refuse %s in %j", async (field, body) => {
  const userId = await service.createUser(`contradicted ${field}`);
  const before = (await get(userId)).body;
  for (const refused of [await create({ client_user_id: `no ${field}`, ...body }), await patch(userId, body)])
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", field]]);
  expect((await get(userId)).body).toEqual(before);
  expect((await service.call("GET", `/v2/user/resolve/no%20${field}`)).status).toBe(404);
});

test("a patch of one ingestion date must fit the stored other one, also when both change at once", async () => {
  const userId = await service.createUser("bounded");
  expect((await patch(userId, { ingestion_start: "2026-05-01", ingestion_end: "2026-05-01" })).status).toBe(204);
  const early = await patch(userId, { ingestion_end: "2026-04-30" });
  expect([early.status, early.body.detail[0].loc]).toEqual([422, ["body", "ingestion_end"]]);
  const late = await patch(userId, { ingestion_start: "2026-05-02" });
  expect([late.status, late.body.detail[0].loc]).toEqual([422, ["body", "ingestion_start"]]);
  expect((await patch(userId, { ingestion_start: null })).status).toBe(204);
  expect((await patch(userId, { ingestion_end: "2026-04-30" })).status).toBe(204);
  await patch(userId, { ingestion_start: "2026-01-01", ingestion_end: "2026-12-31" });
  const narrowed = [{ ingestion_start: "2026-09-01" }, { ingestion_end: "2026-03-01" }];
  const statuses = await Promise.all(narrowed.map(async (body) => (await patch(userId, body)).status));
  expect(statuses.toSorted()).toEqual([204, 422]);
});

test("a rename moves the client_user_id: the old one is free, and the new one resolves and is reserved", async () => {
  const userId = await service.createUser("old name");
  expect((await patch(userId, { client_user_id: "new name" })).status).toBe(204);
  expect((await service.call("GET", "/v2/user/resolve/new%20name")).body.user_id).toBe(userId);
  expect((await service.call("GET", "/v2/user/resolve/old%20name")).status).toBe(404);
  expect((await create({ client_user_id: "new name" })).body.user_id).toBe(userId);
  expect((await create({ client_user_id: "old name" })).status).toBe(200);
});

test("a rename to a used client_user_id names its holder and changes nothing", async () => {
  const holder = await service.createUser("holder");
  const userId = await service.createUser("renamed");
  const { status, body } = await patch(userId, { client_user_id: "holder", ingestion_start: "2024-01-01" });
  expect([status, body.code, body.user_id, body.detail.user_id]).toEqual([400, "client_user_id_taken", holder, holder]);
  expect((await get(userId)).body).toMatchObject({ client_user_id: "renamed", ingestion_start: null });
});

test("a rename to the same client_user_id changes nothing and succeeds", async () => {
  const userId = await service.createUser("same");
  expect((await patch(userId, { client_user_id: "same" })).status).toBe(204);
  expect((await patch(userId, { client_user_id: null })).status).toBe(204);
  expect((await get(userId)).body.client_user_id).toBe("same");
});

test.each(["plain", "a/b c+d?e", "übung-日本-🫀", "100%", "team#user"])(
  "the client_user_id %s resolves to its user",
  async (name) => {
    const userId = await service.createUser(name);
    const { status, body } = await service.call("GET", `/v2/user/resolve/${encodeURIComponent(name)}`);
    expect([status, body.user_id, body.client_user_id]).toEqual([200, userId, name]);
  },
);

test("ids are case-insensitive", async () => {
  const userId = await service.createUser("upper case");
  expect((await get(userId.toUpperCase())).body.user_id).toBe(userId);
});

test("a path with a trailing slash is redirected with 308 to the path without it, with its query", async () => {
  const userId = await service.createUser("slash");
  const answer = await service.call("GET", `/v2/user/${userId}/?a=1`);
  expect([answer.status, answer.headers.get("location")]).toEqual([308, `/v2/user/${userId}?a=1`]);
  const list = await service.call("POST", "/v2/user/", { body: { client_user_id: "never" } });
  expect([list.status, list.headers.get("location")]).toEqual([308, "/v2/user"]);
});

test.each([
  ["GET", ""],
  ["PATCH", ""],
  ["DELETE", ""],
])("%s of an unknown user is 404, as is that of another team's user", async (method, suffix) => {
  const { key } = await service.createTeam(`Other of ${method}`);
  const foreign = await service.createUser("foreign", key);
  const ask = (id: string) =>
    service.call(method, `/v2/user/${id}${suffix}`, method === "PATCH" ? { body: { ingestion_end: null } } : {});
  const [unknown, other] = [await ask(UNKNOWN), await ask(foreign)];
  expect([unknown.status, unknown.body.code]).toEqual([404, "user_not_found"]);
  expect({ ...other.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });
  expect(other.status).toBe(404);
  expect((await service.call("GET", `/v2/user/${foreign}`, { key })).status).toBe(200);
});
