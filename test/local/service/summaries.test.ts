import { afterAll, beforeAll, expect, test } from "vitest";
import { summaryKinds } from "../../../lib/domain/summaries/summary-kinds.ts";
import { TestService } from "../../support/service.ts";
import { push, type Resources } from "./pushing.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const examples: Readonly<Record<string, { record: Record<string, unknown>; change: Record<string, unknown> }>> = {
  activity: {
    record: { calendar_date: "2026-05-01", steps: 9_000, calories_total: 2_400.5, heart_rate: { avg_bpm: 70 } },
    change: { steps: 9_500 },
  },
  sleep: {
    record: {
      bedtime_start: "2026-04-30T23:00:00+02:00",
      bedtime_stop: "2026-05-01T07:00:00+02:00",
      light: 14_400,
      rem: 5_400,
      deep: 5_400,
      awake: 3_600,
      provider_id: "night-1",
    },
    change: { score: 80 },
  },
  workouts: {
    record: {
      provider_id: "run-1",
      time_start: "2026-05-01T06:00:00Z",
      time_end: "2026-05-01T06:40:00Z",
      sport: { id: 1, name: "Running", slug: "running" },
      distance: 8_000,
    },
    change: { distance: 8_100 },
  },
  body: { record: { calendar_date: "2026-05-01", weight: 70.5, fat: 20 }, change: { weight: 70.4 } },
};
const kinds = Object.entries(examples);

const DAY = "start_date=2026-05-01&end_date=2026-05-01";
const read = (userId: string, kind: string, query = DAY) =>
  service.call("GET", `/v2/summary/${kind}/${userId}?${query}`);
const list = async (userId: string, kind: string, query = DAY) => (await read(userId, kind, query)).body[kind];

test.each(kinds)("%s is read back with its id, source and instants [service-04]", async (kind, { record }) => {
  const userId = await service.createUser(`read ${kind}`);
  expect(await push(service, userId, { [kind]: [record] })).toMatchObject({ status: "done", stored: 1, rejected: [] });
  const { status, body } = await read(userId, kind);
  expect([status, Object.keys(body), body[kind].length]).toEqual([200, [kind], 1]);
  const [found] = body[kind];
  expect(found).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_id: userId,
    calendar_date: "2026-05-01",
    created_at: expect.any(String),
    updated_at: expect.any(String),
    source: { provider: "apple_health_kit", slug: "apple_health_kit", type: "watch", name: "Apple HealthKit" },
  });
  const wire = summaryKinds.find(({ name }) => name === kind)?.wire;
  expect(wire?.safeParse(found).error).toBeUndefined();
  expect(Object.keys(wire?.shape ?? {}).filter((field) => !(field in found))).toEqual([]);
});

test.each(kinds)(
  "a changed %s keeps its id, and the same one again changes nothing [events-11] [events-12] [events-14]",
  async (kind, { record, change }) => {
    const userId = await service.createUser(`change ${kind}`);
    await push(service, userId, { [kind]: [record] });
    const [before] = await list(userId, kind);
    expect(await push(service, userId, { [kind]: [record] })).toMatchObject({ unchanged: 1, event_ids: [] });
    const changed = await push(service, userId, { [kind]: [{ ...record, ...change }] });
    expect(changed).toMatchObject({ stored: 0, updated: 1, unchanged: 0 });
    const [after, ...others] = await list(userId, kind);
    expect(others).toEqual([]);
    expect(after).toEqual({ ...before, ...change, updated_at: expect.any(String) });
    expect(after.updated_at > before.updated_at).toBe(true);
    const types = (await service.inbox()).filter(({ body }) => body.user_id === userId).map(({ body }) => body);
    expect(types.map(({ event_type, data }) => [event_type, data.id])).toEqual([
      [`daily.data.${kind}.created`, before.id],
      [`daily.data.${kind}.updated`, before.id],
    ]);
    expect(types[1]?.data).toMatchObject(change);
  },
);

test.each(kinds)("%s of another source is another one", async (kind, { record }) => {
  const userId = await service.createUser(`sources ${kind}`);
  const resources: Resources = { [kind]: [record] };
  await push(service, userId, resources);
  await push(service, userId, resources, { source_type: "phone" });
  await push(service, userId, resources, { provider: "garmin" });
  const found: { id: string }[] = await list(userId, kind);
  expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  expect(await list(userId, kind, `${DAY}&provider=garmin`)).toHaveLength(1);
});

test("days are selected by calendar date, both ends included, oldest first", async () => {
  const userId = await service.createUser("days");
  const dates = ["2026-05-03", "2026-04-30", "2026-05-01", "2026-05-02"];
  await push(service, userId, { activity: dates.map((calendar_date, steps) => ({ calendar_date, steps })) });
  const days = async (query: string) =>
    (await list(userId, "activity", query)).map(({ calendar_date }: { calendar_date: string }) => calendar_date);
  expect(await days("start_date=2026-05-01&end_date=2026-05-02")).toEqual(["2026-05-01", "2026-05-02"]);
  expect(await days("start_date=2026-05-02")).toEqual(["2026-05-02", "2026-05-03"]);
  expect(await days("start_date=2026-05-01T23:00:00Z&end_date=2026-05-03T01:00:00Z")).toEqual([
    "2026-05-01",
    "2026-05-02",
    "2026-05-03",
  ]);
  expect((await read(userId, "activity", "start_date=2026-05-03&end_date=2026-05-01")).status).not.toBe(500);
});

test("sleep fills in its type, duration and total, and begins a new night with another begin", async () => {
  const userId = await service.createUser("nights");
  const { record } = examples.sleep ?? { record: {} };
  const nap = { bedtime_start: "2026-05-01T13:00:00Z", bedtime_stop: "2026-05-01T14:00:00Z" };
  await push(service, userId, { sleep: [record, nap] });
  expect(await list(userId, "sleep")).toMatchObject([
    { type: "long_sleep", duration: 28_800, total: 25_200, bedtime_start: "2026-04-30T21:00:00+00:00" },
    { type: "short_sleep", duration: 3_600, total: 3_600 },
  ]);
});

test("bad summaries are named by place and reason", async () => {
  const userId = await service.createUser("bad summaries");
  const receipt = await push(service, userId, {
    activity: [{ calendar_date: "2026-05-01" }, { steps: 5 }, { calendar_date: "2026-05-01", steps: -5 }, "nothing"],
    workouts: [{ provider_id: "w", time_start: "2026-05-01T06:00:00Z", time_end: "2026-05-01T05:00:00Z" }],
  });
  expect(receipt.rejected).toEqual([
    { resource: "activity", index: 1, reason: "bad_time" },
    { resource: "activity", index: 2, reason: "value_out_of_range" },
    { resource: "activity", index: 3, reason: "bad_field" },
    { resource: "workouts", index: 0, reason: "end_before_start" },
  ]);
});

test.each(kinds)("%s refuses a range that can not be read, and an unknown provider", async (kind) => {
  const userId = await service.createUser(`range ${kind}`);
  for (const query of ["", "start_date=", "start_date=never", `${DAY}&provider=nobody`]) {
    expect([query, (await read(userId, kind, query)).status]).toEqual([query, 422]);
  }
});
