import { afterAll, beforeAll, expect, test } from "vitest";
import type { MeterSnapshot } from "../../../../lib/local/aws-proxy/meter.ts";
import { TestService } from "../../../support/service.ts";
import { type BatchOptions, type BatchResources, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates consecutive five-minute intervals from an instant on. */
function spans(start: string, values: readonly number[]) {
  const first = Date.parse(start);
  const iso = (index: number) => new Date(first + index * 300_000).toISOString();
  return values.map((value, index) => ({ start: iso(index), end: iso(index + 1), value }));
}
const points = (start: string, values: readonly number[]) =>
  spans(start, values).map(({ start: timestamp, value }) => ({ timestamp, value }));

const activities = async (userId: string, query = "start_date=2026-05-01&end_date=2026-05-03") =>
  (await service.call("GET", `/v2/summary/activity/${userId}?${query}`)).body.activity;

const activityEvents = async (userId: string) =>
  (await service.inbox())
    .map(({ body }) => body)
    .filter(({ user_id, event_type }) => user_id === userId && event_type.includes("activity"));

/** Returns the requests of a stored batch to one table, by operation. */
async function metered(table: "samples" | "summaries", work: () => Promise<unknown>) {
  await service.call("DELETE", "/_local/meter");
  await work();
  const { functions }: MeterSnapshot = (await service.call("GET", "/_local/meter")).body;
  const [, tally] = Object.entries(functions).find(([name]) => name.includes("storeBatch")) ?? [];
  const [, operations = {}] =
    Object.entries(tally?.tables ?? {}).find(([name]) => name.toLowerCase().includes(table)) ?? [];
  return Object.fromEntries(Object.entries(operations).map(([operation, { requests }]) => [operation, requests]));
}

const DAY: BatchResources = {
  steps: spans("2026-05-01T08:00:00Z", [100, 200, 300]),
  distance: spans("2026-05-01T08:00:00Z", [70.5, 140.25, 200]),
  calories_active: spans("2026-05-01T08:00:00Z", [10.5, 20]),
  calories_basal: points("2026-05-01T08:00:00Z", [50, 50.5]),
  floors_climbed: points("2026-05-01T08:00:00Z", [2]),
  wheelchair_push: spans("2026-05-01T09:00:00Z", [5]),
  heartrate: points("2026-05-01T08:00:00Z", [60, 80, 130]),
};

test("samples alone create the activity of their day, with the event of a received summary", async () => {
  const userId = await service.createUser("derived");
  const receipt = await ingestBatch(service, userId, DAY, { device: { id: "watch-1" } });
  expect(receipt).toMatchObject({ stored: 15, updated: 0, unchanged: 0, rejected: [] });
  const found = await activities(userId);
  expect(found).toMatchObject([
    {
      calendar_date: "2026-05-01",
      date: "2026-05-01T00:00:00+00:00",
      steps: 600,
      distance: 410.75,
      calories_active: 30.5,
      calories_total: 131,
      floors_climbed: 2,
      wheelchair_push: 5,
      heart_rate: { avg_bpm: 90, min_bpm: 60, max_bpm: 130, resting_bpm: null, avg_walking_bpm: null },
      low: null,
      time_zone: null,
      derived: true,
      source: { provider: "apple_health_kit", type: "watch", device_id: null, app_id: null },
    },
  ]);
  const events = await activityEvents(userId);
  expect(events.map(({ event_type, data }) => [event_type, data])).toEqual([["daily.data.activity.created", found[0]]]);
  expect(receipt.event_ids).toHaveLength(8);
});

test("more samples of the day update the summary, which keeps its id", { tags: "deep" }, async () => {
  const userId = await service.createUser("derived more");
  await ingestBatch(service, userId, DAY);
  const [before] = await activities(userId);
  const receipt = await ingestBatch(service, userId, { steps: spans("2026-05-01T18:00:00Z", [1_000]) });
  expect(receipt).toMatchObject({ stored: 1, updated: 0 });
  const [after] = await activities(userId);
  expect(after).toEqual({ ...before, steps: 1_600, updated_at: expect.any(String) });
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await activityEvents(userId)).map(({ event_type, data }) => [event_type, data.steps])).toEqual([
    ["daily.data.activity.created", 600],
    ["daily.data.activity.updated", 1_600],
  ]);
});

test("a changed sample changes the total, and a changed UTC offset moves it to another day", async () => {
  const userId = await service.createUser("derived moved");
  const [one, two] = spans("2026-05-02T22:30:00Z", [10, 5]);
  await ingestBatch(service, userId, { steps: [one, two] });
  const steps = async () =>
    (await activities(userId)).map((day: Record<string, unknown>) => [day.calendar_date, day.steps]);
  expect(await steps()).toEqual([["2026-05-02", 15]]);
  expect(await ingestBatch(service, userId, { steps: [{ ...one, value: 12 }] })).toMatchObject({ updated: 1 });
  expect(await steps()).toEqual([["2026-05-02", 17]]);
  await ingestBatch(service, userId, { steps: [{ ...one, value: 12, timezone_offset: 7_200 }] });
  expect(await steps()).toEqual([
    ["2026-05-02", 5],
    ["2026-05-03", 12],
  ]);
});

test("days follow the UTC offset of the sample, or else the time zone of the user [user-fields-07]", async () => {
  const draft = { client_user_id: "derived zone", fallback_time_zone: "America/New_York" };
  const { user_id } = (await service.call("POST", "/v2/user", { body: draft })).body;
  const steps = [
    ...spans("2026-05-02T03:55:00Z", [1, 2]),
    { start: "2026-05-02T03:00:00+02:00", end: "2026-05-02T03:05:00+02:00", value: 40 },
  ];
  await ingestBatch(service, user_id, { steps });
  expect(await activities(user_id)).toMatchObject([
    { calendar_date: "2026-05-01", steps: 1 },
    { calendar_date: "2026-05-02", steps: 42 },
  ]);
});

test("a sample across midnight counts for the day on which it starts", async () => {
  const userId = await service.createUser("derived midnight");
  await ingestBatch(service, userId, { steps: spans("2026-05-01T23:58:00Z", [100]) });
  expect(await activities(userId)).toMatchObject([{ calendar_date: "2026-05-01", steps: 100 }]);
});

test("heart rate and basal energy alone create no summary, but are included once movement creates one", async () => {
  const userId = await service.createUser("derived heart");
  const { heartrate = [], calories_basal = [], calories_active = [] } = DAY;
  await ingestBatch(service, userId, { heartrate });
  await ingestBatch(service, userId, { calories_basal });
  expect(await activities(userId)).toEqual([]);
  await ingestBatch(service, userId, { calories_active });
  expect(await activities(userId)).toMatchObject([{ calories_total: 131, heart_rate: { avg_bpm: 90 }, steps: null }]);
});

test("each source has its own days", async () => {
  const userId = await service.createUser("derived sources");
  const steps = spans("2026-05-01T08:00:00Z", [100]);
  await ingestBatch(service, userId, { steps });
  await ingestBatch(service, userId, { steps: [{ ...steps[0], value: 7 }] }, { source_type: "phone" });
  const found: { id: string; steps: number }[] = await activities(userId);
  expect(found.map((one) => one.steps)).toEqual([7, 100]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(2);
});

test("two watches of one source count each interval once, and the explanation names their shares", async () => {
  const userId = await service.createUser("two watches");
  const device = (id: string) => ({ device: { id } });
  await ingestBatch(service, userId, { steps: spans("2026-05-01T08:00:00Z", [100, 100]) }, device("left"));
  const both = { steps: spans("2026-05-01T08:05:00Z", [90, 50]), heartrate: points("2026-05-01T08:00:00Z", [60]) };
  await ingestBatch(service, userId, both, device("right"));
  await ingestBatch(service, userId, { heartrate: points("2026-05-01T08:00:00Z", [80]) }, device("left"));
  const [derived] = await activities(userId, "start_date=2026-05-01&explain=true");
  expect(derived).toMatchObject({
    steps: 250,
    heart_rate: { avg_bpm: 80 },
    source: { device_id: null, app_id: null },
    explanation: {
      recorders: {
        steps: [
          { device_id: "left", app_id: null, share: 0.8 },
          { device_id: "right", app_id: null, share: 0.2 },
        ],
        heartrate: [{ device_id: "left", app_id: null, share: 1 }],
      },
    },
  });
  expect(await activities(userId)).not.toMatchObject([{ derived_from: expect.anything() }]);
});

test("an activity that a device sends stands beside that of another device, in place of the derived one", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("given by devices");
  await ingestBatch(service, userId, DAY, { device: { id: "left" } });
  const [derived] = await activities(userId);
  for (const [id, steps] of [
    ["left", 9_000],
    ["right", 8_000],
  ] as const)
    await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps }] }, { device: { id } });
  const found: { id: string; steps: number; derived: boolean; source: { device_id: string } }[] =
    await activities(userId);
  expect(found.map((one) => [one.source.device_id, one.steps, one.derived]).sort()).toEqual([
    ["left", 9_000, false],
    ["right", 8_000, false],
  ]);
  expect(found.map(({ id }) => id)).not.toContain(derived.id);
  const samples = await metered("samples", () =>
    ingestBatch(service, userId, { steps: spans("2026-05-01T20:00:00Z", [1]) }, { device: { id: "left" } }),
  );
  expect(samples).not.toHaveProperty("Query");
});

const GIVEN = { activity: [{ calendar_date: "2026-05-01", steps: 9_000 }] };

test("a received summary replaces the derived one under its id, and later samples leave it unchanged", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("given later");
  await ingestBatch(service, userId, DAY);
  const [derived] = await activities(userId);
  expect(await ingestBatch(service, userId, GIVEN)).toMatchObject({ stored: 0, updated: 1 });
  const [given] = await activities(userId);
  expect(given).toMatchObject({ id: derived.id, steps: 9_000, distance: null, heart_rate: null, derived: false });
  await ingestBatch(service, userId, { steps: spans("2026-05-01T18:00:00Z", [1_000]) });
  expect(await activities(userId)).toEqual([given]);
  expect((await activityEvents(userId)).map(({ event_type, data }) => [event_type, data.derived])).toEqual([
    ["daily.data.activity.created", true],
    ["daily.data.activity.updated", false],
  ]);
});

test("a received summary replaces the derived one even if it was received before the samples", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("given late");
  await service.settle();
  const store = findFunctionName(service, "storeBatch");
  // The first delivery of the received summary fails, so it is stored after the samples that came later.
  service.cloud.faults.add({
    service: "dynamodb",
    function: store,
    mode: "fail_before",
    at_call: 1,
    every_attempt: true,
  });
  await sendBatch(service, userId, GIVEN);
  await service.settle();
  service.cloud.faults.clear();
  await ingestBatch(service, userId, DAY);
  expect(await activities(userId)).toMatchObject([{ derived: true, steps: 600 }]);
  await service.advance(10 * 60_000);
  expect(await activities(userId)).toMatchObject([{ derived: false, steps: 9_000 }]);
});

test("a received summary in the batch of its samples takes precedence", async () => {
  const userId = await service.createUser("given with");
  await ingestBatch(service, userId, { ...DAY, ...GIVEN });
  expect(await activities(userId)).toMatchObject([{ derived: false, steps: 9_000 }]);
  expect((await activityEvents(userId)).map(({ event_type }) => event_type)).toEqual(["daily.data.activity.created"]);
});

test("raw reads return only received summaries", { tags: "deep" }, async () => {
  const userId = await service.createUser("derived raw");
  const raw = async () => (await service.call("GET", `/v2/summary/activity/${userId}/raw?start_date=2026-05-01`)).body;
  await ingestBatch(service, userId, DAY);
  expect(await raw()).toEqual({ activity: [] });
  await ingestBatch(service, userId, GIVEN);
  expect((await raw()).activity).toHaveLength(1);
});

test("a repeated batch sends no event and writes nothing", async () => {
  const userId = await service.createUser("derived again");
  await ingestBatch(service, userId, DAY);
  const before = await activities(userId);
  const summaries = await metered("summaries", async () => {
    expect(await ingestBatch(service, userId, DAY)).toMatchObject({ unchanged: 15, event_ids: [] });
  });
  expect(summaries).toEqual({});
  expect(await activities(userId)).toEqual(before);
  expect(await activityEvents(userId)).toHaveLength(1);
});

test("only changed data is read again, and only its day is written", { tags: "deep" }, async () => {
  const userId = await service.createUser("derived reads");
  const steps = [...(DAY.steps ?? []), ...spans("2026-05-02T08:00:00Z", [1])];
  const first = await metered("samples", () => ingestBatch(service, userId, { steps }));
  // The creation of a summary reads heart rate and basal energy twice, and so does the next change.
  expect(first).toEqual({ BatchGetItem: 1, PutItem: 2, Query: 9 });
  const more = { steps: spans("2026-05-01T18:00:00Z", [1]) };
  expect(await metered("samples", () => ingestBatch(service, userId, more))).toEqual({
    BatchGetItem: 1,
    PutItem: 1,
    Query: 4,
  });
  const evenMore = { steps: spans("2026-05-01T19:00:00Z", [1]) };
  // One of the two stores the replaced version.
  expect(await metered("summaries", () => ingestBatch(service, userId, evenMore))).toEqual({ Query: 1, PutItem: 2 });
  const heart = { heartrate: points("2026-05-01T18:00:00Z", [70]) };
  expect(await metered("samples", () => ingestBatch(service, userId, heart))).toEqual({
    BatchGetItem: 1,
    PutItem: 1,
    Query: 1,
  });
  const weight = { body_weight: points("2026-05-01T18:00:00Z", [70]) };
  expect(await metered("summaries", () => ingestBatch(service, userId, weight))).toEqual({});
});

test("heart rate on a day without activity costs one query", async () => {
  const userId = await service.createUser("derived heart reads");
  const heart = { heartrate: points("2026-05-01T03:00:00Z", [50]) };
  expect(await metered("samples", () => ingestBatch(service, userId, heart))).toEqual({ BatchGetItem: 1, PutItem: 1 });
  const more = { heartrate: points("2026-05-01T04:00:00Z", [51]) };
  expect(await metered("summaries", () => ingestBatch(service, userId, more))).toEqual({ Query: 1 });
});

test("no sample is read for a day with a received summary", async () => {
  const userId = await service.createUser("given reads");
  await ingestBatch(service, userId, GIVEN);
  expect(await metered("samples", () => ingestBatch(service, userId, DAY))).not.toHaveProperty("Query");
});

test("a historical batch creates the summaries of all its days, and sends one event", async () => {
  const userId = await service.createUser("derived history");
  const history: BatchOptions = { stage: "historical" };
  const steps = ["2026-05-01", "2026-05-02", "2026-05-03"].flatMap((day) => spans(`${day}T08:00:00Z`, [10, 20]));
  const receipt = await ingestBatch(
    service,
    userId,
    { steps, activity: [{ calendar_date: "2026-05-03", steps: 7 }] },
    history,
  );
  const days = (await activities(userId)).map((day: Record<string, unknown>) => [day.steps, day.derived]);
  expect(days).toEqual([[30, true], [30, true], [7, false]]); // biome-ignore format: one day a pair
  expect(receipt.event_ids).toHaveLength(2);
  expect((await activityEvents(userId)).map(({ event_type, data }) => [event_type, data])).toEqual([
    [
      "historical.data.activity.created",
      {
        user_id: userId,
        start_date: "2026-05-01T00:00:00.000Z",
        end_date: "2026-05-03T00:00:00.000Z",
        is_final: true,
        provider: "apple_health_kit",
      },
    ],
  ]);
});

test("the last part of a history that repeats samples announces the activity of their days", async () => {
  const userId = await service.createUser("derived parts");
  const history: BatchOptions = { stage: "historical" };
  const ends = ["2026-05-01", "2026-05-03"].flatMap((day) => spans(`${day}T08:00:00Z`, [10]));
  await ingestBatch(service, userId, { steps: ends }, { ...history, is_final: false });
  await ingestBatch(service, userId, { steps: spans("2026-05-02T08:00:00Z", [20]) }, { ...history, is_final: false });
  expect(await activityEvents(userId)).toEqual([]);
  await ingestBatch(service, userId, { steps: ends }, history);
  expect((await activityEvents(userId)).map(({ data }) => [data.start_date, data.end_date])).toEqual([
    ["2026-05-01T00:00:00.000Z", "2026-05-03T00:00:00.000Z"],
  ]);
});
