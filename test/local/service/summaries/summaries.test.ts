import { afterAll, beforeAll, expect, test } from "vitest";
import { summaryKinds } from "../../../../lib/domain/summaries/summary-kinds.ts";
import { TestService } from "../../../support/service.ts";
import { dropOf, rejectionOf } from "../ingest/expected-rejections.ts";
import { type BatchResources, ingestBatch } from "../ingest/ingest-batch.ts";
import { kindsOfDays, summaryExamples } from "./summary-examples.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const DAY = "start_date=2026-05-01&end_date=2026-05-01";
const read = (userId: string, kind: string, query = DAY) =>
  service.call("GET", `/v2/summary/${kind}/${userId}?${query}`);
const list = async (userId: string, kind: string, query = DAY) => {
  const { listKey } = kindsOfDays.find((one) => one.kind === kind) ?? { listKey: "" };
  return (await read(userId, kind, query)).body[listKey];
};

test("the examples contain every field that a sender can set", () => {
  for (const { name, ingest } of summaryKinds) {
    expect(Object.keys(summaryExamples[name].record).toSorted(), name).toEqual(Object.keys(ingest.shape).toSorted());
  }
});

test.each(kindsOfDays)(
  "$kind is read back unchanged, with its id, source and instants [service-04]",
  async ({ kind, listKey, record }) => {
    const userId = await service.createUser(`read ${kind}`);
    const about = { device: { id: "watch-1" } };
    expect(await ingestBatch(service, userId, { [kind]: [record] }, about)).toMatchObject({ stored: 1, rejected: [] });
    const { status, body } = await read(userId, kind);
    expect([status, Object.keys(body), body[listKey].length]).toEqual([200, [listKey], 1]);
    const [found] = body[listKey];
    // The provider's id of a sleep identifies its stream and is not returned.
    const { provider_id, ...given } = record;
    expect(found).toMatchObject(kind === "sleep" ? given : record);
    expect(found).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: userId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      source: { provider: "apple_health_kit", type: "watch", device_id: "watch-1", name: "Apple HealthKit" },
    });
    const wire = summaryKinds.find(({ name }) => name === kind)?.wire;
    expect(wire?.safeParse(found).error).toBeUndefined();
    expect(Object.keys(wire?.shape ?? {}).toSorted()).toEqual(Object.keys(found).toSorted());
  },
);

test.each(kindsOfDays)(
  "a changed $kind keeps its id, and a repeated one changes nothing [events-11] [events-12] [events-14]",
  async ({ kind, record, change }) => {
    const userId = await service.createUser(`change ${kind}`);
    await ingestBatch(service, userId, { [kind]: [record] });
    const [before] = await list(userId, kind);
    expect(await ingestBatch(service, userId, { [kind]: [record] })).toMatchObject({ unchanged: 1, event_ids: [] });
    const changed = await ingestBatch(service, userId, { [kind]: [{ ...record, ...change }] });
    expect(changed).toMatchObject({ stored: 0, updated: 1, unchanged: 0 });
    const [after, ...others] = await list(userId, kind);
    expect(others).toEqual([]);
    expect(after).toEqual({ ...before, ...change, updated_at: expect.any(String) });
    expect(after.updated_at > before.updated_at).toBe(true);
    const events = (await service.inbox()).filter(({ body }) => body.user_id === userId).map(({ body }) => body);
    expect(events.map(({ event_type, data }) => [event_type, data])).toEqual([
      [`daily.data.${kind}.created`, before],
      [`daily.data.${kind}.updated`, after],
    ]);
  },
);

test.each(kindsOfDays)("$kind of another source is a separate summary", { tags: "deep" }, async ({ kind, record }) => {
  const userId = await service.createUser(`sources ${kind}`);
  const resources: BatchResources = { [kind]: [record] };
  await ingestBatch(service, userId, resources);
  await ingestBatch(service, userId, resources, { source_type: "phone" });
  await ingestBatch(service, userId, resources, { provider: "garmin" });
  const found: { id: string }[] = await list(userId, kind);
  expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  expect(await list(userId, kind, `${DAY}&provider=garmin`)).toHaveLength(1);
});

test("the last of two summaries with one key in a batch wins", async () => {
  const userId = await service.createUser("twice");
  const { record } = summaryExamples.body;
  const receipt = await ingestBatch(service, userId, {
    body: [record, { ...record, weight: 71 }, { ...record, weight: 72 }],
  });
  expect(receipt).toMatchObject({ stored: 1, updated: 0, unchanged: 2, event_ids: [expect.any(String)] });
  expect(await list(userId, "body")).toMatchObject([{ weight: 72 }]);
});

test("a sleep cycle names the sleep with the same source and start, whichever arrives first", async () => {
  const userId = await service.createUser("stages");
  const { session_start: bedtime_start, session_end: bedtime_stop } = summaryExamples.sleep_cycle.record;
  const [cycle, night] = [[summaryExamples.sleep_cycle.record], [{ bedtime_start, bedtime_stop }]];
  await ingestBatch(service, userId, { sleep_cycle: cycle });
  await ingestBatch(service, userId, { sleep: night });
  await ingestBatch(service, userId, { sleep: night, sleep_cycle: cycle }, { provider: "garmin" });
  for (const provider of ["apple_health_kit", "garmin"]) {
    const [sleep] = await list(userId, "sleep", `${DAY}&provider=${provider}`);
    expect(await list(userId, "sleep_cycle", `${DAY}&provider=${provider}`)).toMatchObject([{ sleep_id: sleep.id }]);
  }
});

test("a sleep derives its type, duration and total, and is a new night if its start changes", async () => {
  const userId = await service.createUser("nights");
  const times = { bedtime_start: "2026-04-30T23:00:00+02:00", bedtime_stop: "2026-05-01T07:00:00+02:00" };
  const night = { ...times, light: 14_400, rem: 5_400, deep: 5_400, awake: 3_600 };
  const nap = { bedtime_start: "2026-05-01T13:00:00Z", bedtime_stop: "2026-05-01T14:00:00Z" };
  await ingestBatch(service, userId, { sleep: [night, nap] });
  expect(await list(userId, "sleep")).toMatchObject([
    { type: "long_sleep", duration: 28_800, total: 25_200, bedtime_start: "2026-04-30T21:00:00+00:00" },
    { type: "short_sleep", duration: 3_600, total: 3_600 },
  ]);
});

test("invalid summaries are named with location and reason", async () => {
  const userId = await service.createUser("bad summaries");
  const receipt = await ingestBatch(service, userId, {
    activity: [{ calendar_date: "2026-05-01" }, { steps: 5 }, { calendar_date: "2026-05-01", steps: -5 }, "nothing"],
    workouts: [{ provider_id: "w", time_start: "2026-05-01T06:00:00Z", time_end: "2026-05-01T05:00:00Z" }],
    profile: [{ height: 3 }],
    meal: [{ name: "Lunch", timestamp: "noon" }],
    menstrual_cycle: [{ period_start: "2030-05-01" }],
    electrocardiogram: [{ ...summaryExamples.electrocardiogram.record, voltage_sample_count: "many" }],
    sleep_cycle: [{ ...summaryExamples.sleep_cycle.record, stage_type: [] }],
    devices: [{}],
  });
  expect(receipt.rejected).toEqual([
    rejectionOf("activity", 1, "calendar_date", "bad_time"),
    dropOf("activity", 2, "steps", "value_out_of_range"),
    rejectionOf("activity", 3, null, "bad_field"),
    rejectionOf("workouts", 0, "time_end", "end_before_start"),
    rejectionOf("profile", 0, "height", "value_out_of_range"),
    rejectionOf("meal", 0, "timestamp", "bad_time"),
    rejectionOf("menstrual_cycle", 0, "period_start", "in_the_future"),
    dropOf("electrocardiogram", 0, "voltage_sample_count", "bad_field"),
    rejectionOf("sleep_cycle", 0, "stage_type", "bad_field"),
    rejectionOf("devices", 0, "device_id", "bad_field"),
  ]);
});
