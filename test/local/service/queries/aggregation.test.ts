import { gunzipSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actualSteps, phoneSteps, watchSteps } from "../../../support/phone-and-watch-day.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
let user: string;
beforeAll(async () => {
  service = await TestService.start();
  user = await service.createUser("two-devices");
  for (const samples of [phoneSteps, watchSteps]) {
    const { provider, type: source_type } = samples[0]?.source ?? { provider: "", type: "" };
    const steps = samples.map(({ timestamp, end, value, timezone_offset }) => ({
      start: timestamp,
      end,
      value,
      timezone_offset,
      unit: "count",
    }));
    const answer = await service.call("POST", `/v2/ingest/${user}`, {
      body: { provider, source_type, resources: { steps } },
    });
    expect([answer.status, answer.body.rejected]).toEqual([202, []]);
  }
  const night = {
    bedtime_start: "2026-03-09T22:00:00+00:00",
    bedtime_stop: "2026-03-10T06:00:00+00:00",
    efficiency: 90,
  };
  await service.call("POST", `/v2/ingest/${user}`, {
    body: { provider: "oura", source_type: "ring", resources: { sleep: [night] } },
  });
  await service.settle();
});
afterAll(() => service.stop());

const timeframe = { type: "relative", anchor: "2026-03-11", past: { value: 3, unit: "day" } };
const daily = {
  select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
};
const ask = (body: object, { path = "", headers = {} } = {}) =>
  service.call("POST", `/aggregate/v1/user/${user}/query${path}`, { body: { timeframe, ...body }, headers });
const day = "2026-03-10T00:00:00";

test("a query merges the steps of a phone and a watch on request, and uses the best source otherwise", async () => {
  const strict = await ask({ queries: [daily] });
  expect([strict.status, strict.body]).toEqual([
    200,
    { results: [{ table: { "group_key.0": [day], "sum.value": [actualSteps.watchAlone] } }] },
  ]);
  const merged = await ask({ queries: [daily], config: { merge: "interval" } });
  expect(merged.body.results[0].table["sum.value"]).toEqual([actualSteps.steps]);
});

test("an explanation states which samples counted, which were set aside, and why", async () => {
  const { body } = await ask({ queries: [daily], config: { merge: "interval" } }, { path: "?explain=true" });
  const [explanation] = body.results[0].explanation;
  expect(explanation).toMatchObject({
    group: [day],
    rule: "interval",
    used: [
      { source: { provider: "garmin", type: "watch" }, rows: 180, values: { "sum.value": actualSteps.watchAlone } },
      {
        source: { provider: "apple_health_kit", type: "phone" },
        rows: 30,
        values: { "sum.value": actualSteps.steps - actualSteps.watchAlone },
      },
    ],
    set_aside: [
      {
        source: { provider: "apple_health_kit" },
        intervals: [
          { from: "2026-03-10T17:00:00", to: "2026-03-10T18:00:00" },
          { from: "2026-03-10T19:00:00", to: "2026-03-10T20:00:00" },
        ],
        values: { "sum.value": actualSteps.sum - actualSteps.steps },
        because: "garmin (watch) ranks above apple_health_kit (phone): its source type is more reliable",
      },
    ],
  });
  expect(explanation.used[0].intervals).toEqual([{ from: "2026-03-10T17:00:00", to: "2026-03-10T20:00:00" }]);
  expect(explanation.in_words).toContain("Set aside, in whole or in part: 12 of apple_health_kit (phone)");
});

test("a query joins summaries and timeseries, and assigns a night to the morning after it", async () => {
  const sleep = {
    select: [
      { group_key: "*" },
      { func: "mean", arg: { sleep: "efficiency" } },
      { func: "newest", arg: { value_macro: "awake_at" } },
    ],
    group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
  };
  const { body } = await ask({ queries: [sleep, daily] });
  expect(body.results[0].table).toEqual({
    "group_key.0": [day],
    "mean.efficiency": [90],
    "newest.awake_at": ["2026-03-10T06:00:00"],
  });
});

test("a summary states its rank among the summaries of other sources", async () => {
  const other = {
    bedtime_start: "2026-03-09T22:30:00+00:00",
    bedtime_stop: "2026-03-10T06:10:00+00:00",
    efficiency: 70,
  };
  const body = { provider: "apple_health_kit", source_type: "phone", resources: { sleep: [other] } };
  await service.call("POST", `/v2/ingest/${user}`, { body });
  await service.settle();
  const path = `/v2/summary/sleep/${user}?start_date=2026-03-10&end_date=2026-03-10`;
  const { status, body: answer } = await service.call("GET", `${path}&explain=true&provider=oura`);
  const because = "oura (ring) ranks above apple_health_kit (phone): its source type is more reliable";
  expect([status, answer.sleep.length, answer.sleep[0].explanation]).toMatchObject([
    200,
    1,
    {
      source: { provider: "oura", type: "ring" },
      interval: { from: "2026-03-09T22:00:00", to: "2026-03-10T06:00:00" },
      made_of: "summary",
      standing: "best",
      rivals: [{ source: { provider: "apple_health_kit" }, values: { efficiency: 70 }, because }],
      in_words: `Provided by oura (ring). Queries use it: ${because}.`,
    },
  ]);
  const plain = (await service.call("GET", path)).body.sleep;
  expect([plain.length, plain[0].explanation]).toEqual([2, undefined]);
});

const bytes = async (accept: string, queries: object[]) => {
  const response = await fetch(`${service.baseUrl}/aggregate/v1/user/${user}/query`, {
    method: "POST",
    headers: { "x-service-api-key": service.identity.api_key, "content-type": "application/json", accept },
    body: JSON.stringify({ timeframe, queries }),
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    content: Buffer.from(await response.arrayBuffer()),
  };
};
const parquet = (content: Buffer) => parquetReadObjects({ file: Uint8Array.from(content).buffer });

test("a result is encoded as Parquet on request, and several results as an archive", async () => {
  const row = { "group_key.0": new Date(`${day}Z`), "sum.value": actualSteps.watchAlone };
  const one = await bytes("application/vnd.apache.parquet", [daily]);
  expect([one.status, one.type, await parquet(one.content)]).toEqual([200, "application/vnd.apache.parquet", [row]]);
  expect((await bytes("application/vnd.apache.parquet", [daily, daily])).status).toBe(422);
  const archive = gunzipSync((await bytes("application/x.tar+gzip+parquet", [daily, daily])).content);
  const size = Number.parseInt(archive.toString("ascii", 124, 135), 8);
  expect(archive.toString("ascii", 0, 16)).toBe("result-0.parquet");
  expect(await parquet(archive.subarray(512, 512 + size))).toEqual([row]);
});

test("source priorities belong to one team and rank providers of the same source type", async () => {
  const rival = {
    start: "2026-03-10T17:00:00Z",
    end: "2026-03-10T17:01:00Z",
    value: 5_000,
    unit: "count",
    timezone_offset: 0,
  };
  await service.call("POST", `/v2/ingest/${user}`, {
    body: { provider: "fitbit", source_type: "watch", resources: { steps: [rival] } },
  });
  await service.settle();
  const steps = async (config = {}) => (await ask({ queries: [daily], config })).body.results[0].table["sum.value"][0];
  const path = "/v2/team/source/priorities";
  expect(await steps()).toBe(5_000);
  const body = [{ data_type: "timeseries", provider: "garmin", priority: 7 }];
  const patched = await service.call("PATCH", path, { body });
  expect([
    patched.status,
    patched.body.find((one: { provider: string; data_type: string }) => one.data_type === "timeseries"),
  ]).toEqual([200, body[0]]);
  expect((await service.call("GET", `${path}?data_type=timeseries`)).body[0]).toEqual(body[0]);
  expect((await service.call("PATCH", path)).body).toEqual(patched.body);
  expect(await steps()).toBe(actualSteps.watchAlone);
  expect(await steps({ provider_priority_overrides: ["fitbit"] })).toBe(5_000);
  const { key } = await service.createTeam("Another");
  expect((await service.call("GET", `${path}?data_type=timeseries`, { key })).body[0].priority).toBe(0);
  expect(
    (await service.call("PATCH", path, { body: [{ data_type: "moods", provider: "garmin", priority: 1 }] })).status,
  ).toBe(422);
});

test.each([
  ["a condition that can not be read", { queries: [{ ...daily, where: "value >" }] }, ["body", "queries", 0, "where"]],
  [
    "two tables",
    { queries: [daily, { select: [{ sleep: "id" }, { activity: "steps" }] }] },
    ["body", "queries", 1, "select", 1],
  ],
  ["no queries", { queries: [] }, ["body", "queries"]],
  ["an unknown way to merge", { queries: [daily], config: { merge: "sum" } }, ["body", "config", "merge"]],
  [
    "more groups than can be filled",
    {
      timeframe: { ...timeframe, past: { value: 10, unit: "year" } },
      queries: [
        {
          ...daily,
          group_by: [{ date_trunc: { value: 1, unit: "minute" }, arg: { index: "timeseries" } }],
          align: { carry: { mode: "carry_forward" } },
        },
      ],
    },
    ["body", "queries", 0, "align"],
  ],
])("a batch with %s is refused with the location of the error", async (_, batch, loc) => {
  const { status, body } = await ask(batch);
  expect([status, body.detail[0].loc]).toEqual([422, loc]);
});

test("a user of another team is unknown", async () => {
  const { key } = await service.createTeam("Third");
  const { status } = await service.call("POST", `/aggregate/v1/user/${user}/query`, {
    body: { timeframe, queries: [daily] },
    key,
  });
  expect(status).toBe(404);
});

test("queries that name no rule follow the rule of the team", async () => {
  const path = `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}`;
  const setRule = (source_merge: string) => service.manage("PATCH", path, { body: { sandbox: { source_merge } } });
  const stepsOf = async (config?: object) =>
    (await ask({ queries: [daily], config })).body.results[0].table["sum.value"];
  const refused = await setRule("none");
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "sandbox", "source_merge"]]);
  expect((await setRule("interval")).body.sandbox.source_merge).toBe("interval");
  // Containers keep a team for at most a minute.
  await service.advance(61_000);
  expect(await stepsOf()).toEqual([actualSteps.steps]);
  expect(await stepsOf({ merge: "strict" })).toEqual([actualSteps.watchAlone]);
  await setRule("strict");
  await service.advance(61_000);
  expect(await stepsOf()).toEqual([actualSteps.watchAlone]);
});

test("a query groups and filters by device and app", async () => {
  const watches = await service.createUser("two watches");
  for (const [device, app, value] of [
    ["left", "one", 100],
    ["right", "two", 30],
  ] as const) {
    const activity = [{ calendar_date: "2026-03-10", steps: value }];
    const source = { provider: "garmin", source_type: "watch", device: { id: device }, app: { id: app } };
    await service.call("POST", `/v2/ingest/${watches}`, { body: { ...source, resources: { activity } } });
  }
  await service.settle();
  const steps = { func: "sum", arg: { activity: "steps" } };
  const sources = ["source_device_id", "source_app_id"].map((source) => ({ source }));
  const answer = async (query: object) => {
    const body = { timeframe, queries: [query] };
    return (await service.call("POST", `/aggregate/v1/user/${watches}/query`, { body })).body.results[0].table;
  };
  expect(await answer({ select: [{ group_key: "*" }, steps], group_by: sources })).toEqual({
    "group_key.0": ["left", "right"],
    "group_key.1": ["one", "two"],
    "sum.steps": [100, 30],
  });
  expect(await answer({ select: [steps], where: "source_device_id = 'right'" })).toEqual({ "sum.steps": [30] });
  const list = await service.call("GET", `/v2/summary/activity/${watches}?start_date=2026-03-10&explain=true`);
  const explanations = list.body.activity.map(({ source, explanation }: Record<string, never>) => [
    source,
    explanation,
  ]);
  expect(explanations).toMatchObject(
    expect.arrayContaining([
      [expect.objectContaining({ device_id: "left", app_id: "one" }), expect.objectContaining({ standing: "best" })],
      [
        expect.objectContaining({ device_id: "right", app_id: "two" }),
        expect.objectContaining({ standing: "set_aside" }),
      ],
    ]),
  );
});
