import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { dropOf, rejectionOf } from "./expected-rejections.ts";
import { createHeartRates, pageSamples, readGroupedPage, sendBatch } from "./ingest-batch.ts";

const at = { timestamp: "2026-05-01T08:00:00Z" };
const MOST_BYTES = 4 * 1024 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const receiptOf = async (userId: string, receiptId: string) =>
  (await service.call("GET", `/v2/ingest/${userId}/${receiptId}`)).body;

test("the receipt repeats every rejection and counts the records stored beside them", async () => {
  const userId = await service.createUser("receipt of rejections");
  const sent = await sendBatch(service, userId, {
    heartrate: [
      { ...at, value: 60 },
      { timestamp: "2026-05-01T25:00:00Z", value: 60 },
      { ...at, value: 4_000 },
      { ...at, value: 60, unit: "furlong" },
      { timestamp: "2999-01-01T00:00:00Z", value: 60 },
    ],
    steps: [{ start: "2026-05-01T08:00:00Z", end: "2026-05-01T07:59:59Z", value: 1 }],
    horoscope: [at],
  });
  const rejected = [
    rejectionOf("heartrate", 1, "timestamp", "bad_time"),
    rejectionOf("heartrate", 2, "value", "value_out_of_range"),
    rejectionOf("heartrate", 3, "unit", "unknown_unit"),
    rejectionOf("heartrate", 4, "timestamp", "in_the_future"),
    rejectionOf("steps", 0, "end", "end_before_start"),
    rejectionOf("horoscope", 0, null, "unknown_resource"),
  ];
  expect(sent).toMatchObject({ status: 202, body: { accepted: 1, rejected } });
  expect((await receiptOf(userId, sent.body.receipt_id)).rejected).toEqual(rejected);
  await service.settle();
  expect(await receiptOf(userId, sent.body.receipt_id)).toMatchObject({ status: "done", stored: 1, rejected });
  expect(pageSamples(await readGroupedPage(service, userId, "heartrate", { start_date: "2026-01-01" }))).toHaveLength(
    1,
  );
});

test("a record is stored without its invalid field, which the receipt names", async () => {
  const userId = await service.createUser("bad fields");
  const times = { time_start: "2026-05-01T06:00:00Z", time_end: "2026-05-01T07:00:00Z" };
  const sent = await sendBatch(service, userId, {
    workouts: [{ provider_id: "w", ...times, average_hr: 0, max_hr: 150, calories: 300 }, { provider_id: "x" }],
    activity: [{ calendar_date: "2026-05-01", steps: 5, heart_rate: { avg_bpm: 0, max_bpm: 150 } }],
    glucose: [{ ...at, value: 5, type: "" }],
  });
  const rejected = [
    dropOf("workouts", 0, "average_hr", "value_out_of_range"),
    rejectionOf("workouts", 1, "time_start", "bad_time"),
    dropOf("activity", 0, "heart_rate.avg_bpm", "value_out_of_range"),
    dropOf("glucose", 0, "type", "bad_type"),
  ];
  expect(sent).toMatchObject({ status: 202, body: { accepted: 3, rejected } });
  await service.settle();
  expect(await receiptOf(userId, sent.body.receipt_id)).toMatchObject({ status: "done", stored: 3, rejected });
  const read = async (kind: string) =>
    (await service.call("GET", `/v2/summary/${kind}/${userId}?start_date=2026-05-01`)).body[kind];
  expect(await read("workouts")).toMatchObject([{ average_hr: null, max_hr: 150, calories: 300 }]);
  expect(await read("activity")).toMatchObject([{ steps: 5, heart_rate: { avg_bpm: null, max_bpm: 150 } }]);
});

test("a timestamp may be at most 24 hours ahead of the service's clock", async () => {
  const userId = await service.createUser("ahead");
  const ahead = (minutes: number) => new Date(service.cloud.clock.now() + minutes * 60_000).toISOString();
  const { body } = await sendBatch(service, userId, {
    heartrate: [24 * 60 - 5, 24 * 60 + 5].map((minutes) => ({ timestamp: ahead(minutes), value: 60 })),
    steps: [{ start: ahead(0), end: ahead(24 * 60 + 5), value: 1 }],
    activity: [{ calendar_date: ahead(49 * 60).slice(0, 10), steps: 1 }],
  });
  expect(body.rejected).toEqual([
    rejectionOf("heartrate", 1, "timestamp", "in_the_future"),
    rejectionOf("steps", 0, "end", "in_the_future"),
    rejectionOf("activity", 0, "calendar_date", "in_the_future"),
  ]);
});

test("a batch of invalid records alone is refused and leaves no receipt and no sample", async () => {
  const userId = await service.createUser("nothing good");
  const bad = Array.from({ length: 300 }, () => ({ ...at, value: 9_999 }));
  const { status, body } = await sendBatch(service, userId, { heartrate: bad, horoscope: [at] });
  expect([status, body.code, body.receipt_id]).toEqual([422, "validation_failed", undefined]);
  expect(body.detail).toHaveLength(100);
  expect(body.detail[99]).toEqual({
    loc: ["body", "resources", "heartrate", 99, "value"],
    msg: "Expected a number from 10 to 400. Value, bpm after conversion.",
    type: "value_out_of_range",
  });
  await service.settle();
  const page = await readGroupedPage(service, userId, "heartrate", { start_date: "2026-01-01" });
  expect(page.body.groups).toEqual({});
});

test("more than 10,000 records in total are refused with the advice to split them", async () => {
  const userId = await service.createUser("many in all");
  const rates = createHeartRates("2026-05-01T00:00:00Z", 5_001);
  const sent = await sendBatch(service, userId, { heartrate: rates, glucose: rates.slice(1), note: [at] });
  expect([sent.status, sent.body.code]).toEqual([413, "body_too_large"]);
  expect(sent.body.detail).toMatch(/10000 records.*smaller batches/);
});

test("a body of 4 MiB is accepted, and one more byte is refused with the advice to split it", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("large body");
  const batch = { provider: "oura", source_type: "ring", resources: { heartrate: [{ ...at, value: 60 }] } };
  const post = (bytes: number) =>
    service.call("POST", `/v2/ingest/${userId}`, { body: JSON.stringify(batch).padEnd(bytes) });
  expect((await post(MOST_BYTES)).status).toBe(202);
  const { status, body } = await post(MOST_BYTES + 1);
  expect([status, body.code]).toEqual([413, "body_too_large"]);
  expect(body.detail).toMatch(/4194304 bytes.*smaller parts/);
});
