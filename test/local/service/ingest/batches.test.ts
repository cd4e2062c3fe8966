import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { rejectionOf } from "./expected-rejections.ts";
import { createHeartRates, ingestBatch, pageSamples, readGroupedPage, sendBatch } from "./ingest-batch.ts";

const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const eventsOf = async (userId: string) => (await service.inbox()).filter(({ body }) => body.user_id === userId);

test("eight unchanged samples, one changed and one invalid sample give unchanged 8, updated 1 and one rejection", async () => {
  const userId = await service.createUser("receipt");
  const rates = createHeartRates("2026-05-01T08:00:00Z", 9);
  expect(await ingestBatch(service, userId, { heartrate: rates })).toMatchObject({
    status: "done",
    stored: 9,
    rejected: [],
  });
  const changed = [...rates.slice(0, 8), { ...rates[8], value: 199 }, { timestamp: "yesterday", value: 60 }];
  const rejected = [rejectionOf("heartrate", 9, "timestamp", "bad_time")];
  const answer = await sendBatch(service, userId, { heartrate: changed });
  expect(answer).toMatchObject({ status: 202, body: { accepted: 9, rejected } });
  await service.settle();
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${answer.body.receipt_id}`);
  expect(receipt.body).toEqual({
    receipt_id: answer.body.receipt_id,
    status: "done",
    stored: 0,
    updated: 1,
    unchanged: 8,
    rejected,
    remap_id: null,
    event_ids: [expect.stringMatching(/^evt_/)],
  });
});

test("a receipt is pending until its batch is stored, and unknown to other users and teams", async () => {
  const userId = await service.createUser("pending");
  const other = await service.createUser("not mine");
  const { body } = await sendBatch(service, userId, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) });
  const now = await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`);
  expect(now.status).toBe(200);
  expect(["pending", "done"]).toContain(now.body.status);
  await service.settle();
  expect((await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`)).body.status).toBe("done");
  expect((await service.call("GET", `/v2/ingest/${other}/${body.receipt_id}`)).status).toBe(404);
  expect((await service.call("GET", `/v2/ingest/${userId}/unknown`)).body.code).toBe("not_found");
  const { key } = await service.createTeam("Not their receipt");
  expect((await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`, { key })).status).toBe(404);
});

test("every invalid record is named with its location and reason", async () => {
  const userId = await service.createUser("reasons");
  const at = { timestamp: "2026-05-01T08:00:00Z" };
  const span = { start: "2026-05-01T08:00:00Z", end: "2026-05-01T08:05:00Z" };
  const { body } = await sendBatch(service, userId, {
    heartrate: [
      { ...at, value: 60 },
      { timestamp: "2026-05-01", value: 60 },
      { ...at, value: "60" },
      { ...at, value: 4000 },
      { ...at, value: 60, unit: "furlong" },
      { timestamp: "2999-01-01T00:00:00Z", value: 60 },
      null,
    ],
    steps: [{ ...span, end: "2026-05-01T07:00:00Z", value: 1 }],
    stand_hour: [{ ...span, type: "flying", value: 1 }],
    blood_pressure: [{ ...at, systolic: 120 }],
    steps_per_parsec: [{ ...at, value: 1 }],
  });
  expect(body.accepted).toBe(1);
  expect(body.rejected).toEqual([
    rejectionOf("heartrate", 1, "timestamp", "bad_time"),
    rejectionOf("heartrate", 2, "value", "bad_value"),
    rejectionOf("heartrate", 3, "value", "value_out_of_range"),
    rejectionOf("heartrate", 4, "unit", "unknown_unit"),
    rejectionOf("heartrate", 5, "timestamp", "in_the_future"),
    rejectionOf("heartrate", 6, null, "bad_time"),
    rejectionOf("steps", 0, "end", "end_before_start"),
    rejectionOf("stand_hour", 0, "type", "bad_type"),
    rejectionOf("blood_pressure", 0, "diastolic", "bad_field"),
    rejectionOf("steps_per_parsec", 0, null, "unknown_resource"),
  ]);
});

test("a batch without a valid record is refused with the location of each invalid one", async () => {
  const userId = await service.createUser("only bad");
  const bad = await sendBatch(service, userId, { heartrate: [{ value: 60 }, { timestamp: "2026-05-01T08:00:00Z" }] });
  expect(bad).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(bad.body.detail).toMatchObject([
    { loc: ["body", "resources", "heartrate", 0, "timestamp"], type: "bad_time" },
    { loc: ["body", "resources", "heartrate", 1, "value"], type: "bad_value" },
  ]);
  expect((await sendBatch(service, userId, { heartrate: [] })).status).toBe(422);
  expect((await sendBatch(service, userId, {})).status).toBe(422);
});

test("more than 10,000 records or 4 MiB are refused with 413, and 10,000 are accepted", { tags: "deep" }, async () => {
  const userId = await service.createUser("too much");
  const rates = createHeartRates("2026-05-01T00:00:00Z", 10_001);
  const many = await sendBatch(service, userId, { heartrate: rates });
  expect([many.status, many.body.code, many.body.request_id]).toEqual([413, "body_too_large", expect.any(String)]);
  const padding = { timestamp: "2026-05-01T08:00:00Z", value: 60, note: "x".repeat(4 * 1024 * 1024) };
  const large = await sendBatch(service, userId, { heartrate: [padding] });
  expect([large.status, large.body.code, large.body.request_id]).toEqual([413, "body_too_large", expect.any(String)]);
  expect(await ingestBatch(service, userId, { heartrate: rates.slice(1) })).toMatchObject({
    status: "done",
    stored: 10_000,
  });
});

test("a batch too large for a message is passed through the bucket, which is empty afterwards", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("bucket");
  await service.call("DELETE", "/_local/meter");
  const notes = Array.from({ length: 60 }, (_, minute) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, 8, minute)).toISOString(),
    value: randomBytes(3_000).toString("base64"),
  }));
  expect(await ingestBatch(service, userId, { note: notes })).toMatchObject({ status: "done", stored: 60 });
  const meter = (await service.call("GET", "/_local/meter")).body;
  const [operations] = Object.values(meter.buckets);
  expect(operations).toMatchObject({
    PUT: { requests: 1 },
    GET: { requests: 1 },
    DELETE: { requests: 1 },
  });
});

test("a repeated batch changes nothing and sends no event", async () => {
  const userId = await service.createUser("again");
  const resources = {
    heartrate: createHeartRates("2026-05-01T08:00:00Z", 50),
    activity: [{ calendar_date: "2026-05-01", steps: 100 }],
  };
  await ingestBatch(service, userId, resources);
  const events = await eventsOf(userId);
  expect(events.map(({ body }) => body.event_type).sort()).toEqual([
    "daily.data.activity.created",
    "daily.data.heartrate.created",
  ]);
  const again = await ingestBatch(service, userId, resources);
  expect(again).toMatchObject({ stored: 0, updated: 0, unchanged: 51, event_ids: [] });
  expect(await eventsOf(userId)).toHaveLength(2);
});

test("history is stored like other data, and sends one event per resource without samples", async () => {
  const userId = await service.createUser("history");
  const resources = {
    heartrate: createHeartRates("2026-05-01T08:00:00Z", 3),
    sleep: [{ bedtime_start: "2026-04-30T22:00:00Z", bedtime_stop: "2026-05-01T06:00:00Z" }],
  };
  expect(await ingestBatch(service, userId, resources, { stage: "historical" })).toMatchObject({
    status: "done",
    stored: 4,
  });
  const events = (await eventsOf(userId)).map(({ body }) => body);
  expect(events.map(({ event_type }) => event_type).sort()).toEqual([
    "historical.data.heartrate.created",
    "historical.data.sleep.created",
  ]);
  expect(events.find(({ event_type }) => event_type.includes("heartrate"))?.data).toEqual({
    user_id: userId,
    start_date: "2026-05-01T08:00:00.000Z",
    end_date: "2026-05-01T08:00:02.000Z",
    is_final: true,
    provider: "apple_health_kit",
  });
  expect(pageSamples(await readGroupedPage(service, userId, "heartrate", DAY))).toHaveLength(3);
});

test("data outside the user's bounds is discarded and counted, by the days of its location [user-fields-09]", async () => {
  const draft = { client_user_id: "bounded", ingestion_start: "2026-05-10", ingestion_end: "2026-05-20" };
  const { user_id } = (await service.call("POST", "/v2/user", { body: draft })).body;
  const at = (timestamp: string) => ({ timestamp, value: 60 });
  const sent = await sendBatch(service, user_id, {
    heartrate: [
      at("2026-05-15T12:00:00Z"),
      at("2026-05-09T23:59:59Z"),
      at("2026-05-10T00:00:00Z"),
      at("2026-05-21T00:00:00Z"),
      at("2026-05-20T23:59:59Z"),
      at("2026-05-10T00:30:00+02:00"),
      at("2026-05-09T23:30:00-02:00"),
    ],
    activity: [{ calendar_date: "2026-05-09", steps: 1 }, { calendar_date: "2026-05-20", steps: 1 }], // biome-ignore format: a line
    sleep: [{ bedtime_start: "2026-05-09T22:00:00Z", bedtime_stop: "2026-05-10T06:00:00Z" }],
  });
  const rejected = ["heartrate 1", "heartrate 3", "heartrate 6", "activity 0", "sleep 0"].map((place) => {
    const [resource, index] = place.split(" ");
    const fields = { heartrate: "timestamp", activity: "calendar_date", sleep: "bedtime_start" };
    const field = fields[resource as keyof typeof fields];
    return rejectionOf(resource!, Number(index), field, "out_of_bounds");
  });
  expect(sent.body).toMatchObject({ accepted: 5, rejected });
  await service.settle();
  const receipt = await service.call("GET", `/v2/ingest/${user_id}/${sent.body.receipt_id}`);
  expect(receipt.body).toMatchObject({ status: "done", stored: 5, rejected });
  const page = await readGroupedPage(service, user_id, "heartrate", { start_date: "2026-05-01" });
  expect(pageSamples(page)).toHaveLength(4);
});

test("an ingestion bound is a day in the fallback time zone if data has no UTC offset", async () => {
  const zone = { fallback_time_zone: "America/New_York", ingestion_start: "2026-05-10" };
  const { user_id } = (await service.call("POST", "/v2/user", { body: { client_user_id: "in New York", ...zone } }))
    .body;
  const heartrate = ["2026-05-10T03:59:59Z", "2026-05-10T04:00:00Z"].map((timestamp) => ({ timestamp, value: 60 }));
  const activity = ["2026-05-10", "2026-05-09"].map((calendar_date) => ({ calendar_date, steps: 1 }));
  const { body } = await sendBatch(service, user_id, { heartrate, activity });
  expect(body.rejected).toEqual([
    rejectionOf("heartrate", 0, "timestamp", "out_of_bounds"),
    rejectionOf("activity", 1, "calendar_date", "out_of_bounds"),
  ]);
});
