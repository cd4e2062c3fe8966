import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { sendBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const path = (env = "sandbox", team = service.identity.team_id) =>
  `/v1/org/${service.identity.org_id}/team/${team}/${env}`;
const at = (name: string) => `${path()}/continuous_query/${name}`;
const query = {
  select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
};
const draft = (slug: string, changes = {}) => ({ slug, title: "Sleep by day", query, ...changes });
const create = (body: object) => service.manage("POST", `${path()}/continuous_query`, { body });

test("a continuous query is created, and read by its id and by its slug", async () => {
  const { status, body } = await create(draft("sleep-by-day"));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: "active",
    slug: "sleep-by-day",
    team_id: service.identity.team_id,
    scheduling_preferences: { minimum_gap_duration_second: null },
    result_table_schema: { "group_key.0": "instant", "mean.efficiency": "number" },
    resource_dependencies: ["sleep"],
    export_preferences: { data_events: { enabled: true }, fhir_observations: false },
  });
  expect((await service.manage("GET", at("sleep-by-day"))).body).toEqual(body);
  expect((await service.manage("GET", at(body.id))).body).toEqual(body);
  expect((await service.manage("GET", at("another"))).status).toBe(404);
});

test("one of ten concurrent creations with the same slug succeeds", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(draft("taken"))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
});

test.each([
  ["slug", { slug: "-a" }],
  ["slug", { slug: "a--b" }],
  ["slug", { slug: "A" }],
  ["slug", { slug: "3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f" }],
  ["title", { title: "<b>" }],
  ["scheduling_preferences", { scheduling_preferences: { minimum_gap_duration_second: 1_799 } }],
  ["query", { query: { select: [{ func: "mean", arg: { sleep: "efficiency" } }] } }],
  ["query", { query: { ...query, where: "efficiency >" } }],
])("an invalid %s is refused with its location: %j", async (field, change) => {
  const { status, body } = await create(draft("refused", change));
  expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ["body", field]]);
});

test("a query is validated without being created", async () => {
  const validate = (body: object) => service.manage("POST", `${path()}/validate_continuous_query`, { body });
  const { status, body } = await validate({ query });
  expect([status, body]).toEqual([
    200,
    {
      result_table_schema: { "group_key.0": "instant", "mean.efficiency": "number" },
      resource_dependencies: ["sleep"],
      fhir_observation_previews: null,
    },
  ]);
  expect((await validate({ query: { ...query, group_by: [] } })).status).toBe(422);
});

test("title and schedule can be changed until the query is archived, which keeps it readable and its slug reserved", async () => {
  await create(draft("changing"));
  const change = (body: object) => service.manage("PATCH", at("changing"), { body });
  const changed = await change({ title: "New", scheduling_preferences: { minimum_gap_duration_second: 3_600 } });
  expect(changed.body).toMatchObject({
    title: "New",
    scheduling_preferences: { minimum_gap_duration_second: 3_600 },
  });
  expect((await change({ title: null })).body).toEqual(changed.body);
  expect((await service.manage("DELETE", at("changing"))).status).toBe(204);
  expect((await service.manage("DELETE", at("changing"))).status).toBe(204);
  expect((await service.manage("GET", at("changing"))).body.status).toBe("archived");
  expect((await change({ title: "Newer" })).status).toBe(409);
  expect((await create(draft("changing"))).status).toBe(409);
});

test("queries are listed by slug in pages, and another team sees none of them", { tags: "deep" }, async () => {
  const { teamId } = await service.createTeam("Other");
  const list = async (team: string, cursor = "") =>
    (await service.manage("GET", `${path("sandbox", team)}/continuous_query${cursor && `?next_cursor=${cursor}`}`))
      .body;
  expect(await list(teamId)).toEqual({ data: [], next_cursor: null });
  for (let made = 0; made < 51; made++) await create(draft(`many-${String(made).padStart(2, "0")}`));
  const first = await list(service.identity.team_id);
  const second = await list(service.identity.team_id, first.next_cursor);
  const slugs = [...first.data, ...second.data].map(({ slug }: { slug: string }) => slug);
  expect([first.data.length, second.next_cursor]).toEqual([50, null]);
  expect(slugs).toEqual([...new Set(slugs)].toSorted());
  expect(slugs.filter((slug: string) => slug.startsWith("many-")).length).toBe(51);
  expect((await service.manage("GET", `${path("production")}/continuous_query`)).status).toBe(404);
});

const HOUR_MS = 3_600_000;
const daily = {
  select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
};

test("a result follows the data of a user: changes recompute it, send an event and extend its history", {
  tags: "deep",
}, async () => {
  const made = await create(
    draft("steps-by-day", { query: daily, scheduling_preferences: { minimum_gap_duration_second: 3_600 } }),
  );
  expect(made.status).toBe(201);
  const user = await service.createUser("walker");
  const walk = async (days: readonly number[], value: number) => {
    const steps = days.map((day) => ({
      start: `2026-03-0${day}T10:00:00Z`,
      end: `2026-03-0${day}T10:05:00Z`,
      value,
      unit: "count",
      timezone_offset: 0,
    }));
    await service.call("POST", `/v2/ingest/${user}`, {
      body: { provider: "garmin", source_type: "watch", resources: { steps } },
    });
    await service.settle();
    await service.advance(120_000);
  };
  const read = async (what: string) =>
    (await service.call("GET", `/aggregate/v1/user/${user}/continuous_query/steps-by-day/${what}`)).body;
  const changes = async () =>
    (await service.inbox("continuous_query.result_table.changed")).map(({ body }) => body.data);
  const row = (day: number, value: number | null) => ({
    "group_key.0": [`2026-03-0${day}T00:00:00`],
    "sum.value": [value],
  });

  await walk([1, 2], 100);
  expect((await read("result_table")).table).toEqual({
    "group_key.0": ["2026-03-01T00:00:00", "2026-03-02T00:00:00"],
    "sum.value": [100, 100],
  });
  const [first] = await changes();
  expect(first).toEqual([
    { query_id: made.body.id, query_slug: "steps-by-day", data: (await read("result_table")).table },
  ]);

  await walk([3], 50);
  expect((await read("task_history")).data.map(({ status }: { status: string }) => status)).toEqual([
    "scheduled",
    "completed",
  ]);
  expect((await read("result_table")).table["sum.value"]).toEqual([100, 100]);
  await service.advance(HOUR_MS + 180_000);
  expect((await read("result_table")).table["sum.value"]).toEqual([100, 100, 50]);
  expect((await changes()).slice(1)).toEqual([
    [{ query_id: made.body.id, query_slug: "steps-by-day", data: row(3, 50) }],
  ]);

  const page = await read("task_history?limit=1");
  const rest = await read(`task_history?limit=1&next_cursor=${page.next_cursor}`);
  expect([page.data, rest.data].map(([one]) => one)).toMatchObject([
    {
      query_id: made.body.id,
      user_id: user,
      status: "completed",
      started_at: expect.any(String),
      ended_at: expect.any(String),
    },
    { status: "completed" },
  ]);
  expect((await service.call("GET", `/aggregate/v1/user/${user}/continuous_query/none/result_table`)).status).toBe(404);
  expect(
    (await service.call("GET", `/aggregate/v1/user/${user}/continuous_query/steps-by-day/task_history?next_cursor=x`))
      .status,
  ).toBe(422);
});

test("a result follows deletions of samples, which have no event", { tags: "deep" }, async () => {
  await create(draft("deleted-steps", { query: daily }));
  const user = await service.createUser("deleter");
  const sync = async (sync_id: string, resources: object, deleted: object) => {
    const { body: token } = await service.call("POST", `/v2/user/${user}/sign_in_token`);
    const options = { key: null, body: { sign_in_token: token.sign_in_token } };
    const { body: session } = await service.call("POST", "/v2/sdk/session", options);
    const answer = await service.call("POST", "/v2/sdk/sync", {
      key: null,
      headers: { authorization: `Bearer ${session.access_token}` },
      body: { provider: "apple_health_kit", source_type: "phone", sync_id, part: 0, done: true, resources, deleted },
    });
    expect([answer.status, answer.body.rejected ?? answer.body]).toEqual([202, []]);
    await service.settle();
    await service.advance(HOUR_MS);
    const path = `/aggregate/v1/user/${user}/continuous_query/deleted-steps/result_table`;
    return (await service.call("GET", path)).body.table["sum.value"];
  };
  const walk = (day: number, hour: number) => ({
    start: `2026-03-0${day}T${hour}:00:00Z`,
    end: `2026-03-0${day}T${hour}:30:00Z`,
    value: 100,
  });
  expect(await sync("a", { steps: [walk(1, 10), walk(1, 12), walk(2, 10)] }, {})).toEqual([200, 100]);
  const events = (await service.inbox("daily.data.steps")).length;
  expect(await sync("b", {}, { steps: [walk(1, 12), walk(2, 10)].map(({ start }) => ({ timestamp: start })) })).toEqual(
    [100],
  );
  expect((await service.inbox("daily.data.steps")).length).toBe(events);
});

test("a result has the days that changed just before a deletion, or reached the service then, after an undo", async () => {
  await create(draft("steps-after-undo", { query: daily }));
  const user = await service.createUser("restored");
  const walk = (day: number) => ({ start: `2026-03-0${day}T10:00:00Z`, end: `2026-03-0${day}T10:30:00Z`, value: day });
  const send = (day: number) => sendBatch(service, user, { steps: [walk(day)] });
  await send(1);
  await service.settle();
  await service.advance(2 * HOUR_MS);
  const lost = {
    function: findFunctionName(service, "markChangedDays"),
    mode: "fail_before",
    every_attempt: true,
  } as const;
  service.cloud.faults.add({ ...lost, service: "dynamodb" });
  await send(2);
  await service.settle();
  await send(3);
  await service.call("DELETE", `/v2/user/${user}`);
  service.cloud.faults.clear();
  await service.settle();
  await service.advance(2 * HOUR_MS);
  expect((await service.call("POST", `/v2/user/undo_delete?user_id=${user}`)).status).toBe(200);
  await service.advance(3 * HOUR_MS);
  const path = `/aggregate/v1/user/${user}/continuous_query/steps-after-undo/result_table`;
  expect((await service.call("GET", path)).body.table["sum.value"]).toEqual([1, 2, 3]);
});
