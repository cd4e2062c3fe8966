import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";

const MINUTE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** A user with a phone that is signed in. */
async function createPhone(name: string) {
  const userId = await service.createUser(name);
  const { sign_in_token } = (await service.call("POST", `/v2/user/${userId}/sign_in_token`)).body;
  const { body } = await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const about = { provider: "apple_health_kit", source_type: "phone", stage: "historical", sync_id: "first", part: 0 };
  const sync = (part: object): Promise<Answer> =>
    service.call("POST", "/v2/sdk/sync", { key: null, headers, body: { ...about, resources: {}, ...part } });
  return { userId, sync };
}

const at = (minute: number) => `2026-05-01T08:${String(minute).padStart(2, "0")}:00Z`;

/** Histories that the service has announced of a user, by resource. */
async function announcedOf(userId: string): Promise<Record<string, Answer["body"]>> {
  // A history completes in a later run if its data was not stored at the first.
  await service.advance(5 * MINUTE_MS);
  const events = (await service.inbox()).map(({ body }) => body).filter(({ user_id }) => user_id === userId);
  const histories = events.filter(({ event_type }) => event_type.startsWith("historical.data."));
  return Object.fromEntries(
    histories.map(({ event_type, data }) => [`${data.provider} ${event_type.split(".")[2]}`, data]),
  );
}

describe("a synchronisation", () => {
  test("belongs to its provider: two phones may choose the same sync_id", async () => {
    const { userId, sync } = await createPhone("two phones");
    const first = await sync({ done: true, resources: { heartrate: [{ timestamp: at(0), value: 60 }] } });
    const android = {
      provider: "health_connect",
      done: true,
      resources: { hrv: [{ timestamp: at(1), value: 40 }], glucose: [{ timestamp: at(1), value: 5 }] },
    };
    const other = await sync(android);
    expect(other.body).toMatchObject({ accepted: 2, rejected: [] });
    expect(other.body.receipt_id).not.toBe(first.body.receipt_id);
    expect((await sync(android)).body).toEqual(other.body);
    expect(Object.keys(await announcedOf(userId)).toSorted()).toEqual([
      "apple_health_kit heartrate",
      "health_connect glucose",
      "health_connect hrv",
    ]);
    const { body } = await service.call("GET", `/v2/timeseries/${userId}/hrv/grouped?start_date=2026-05-01`);
    expect(body.groups.health_connect[0].data).toHaveLength(1);
  });

  test("with malformed deletions keeps its records and its other deletions", async () => {
    const { userId, sync } = await createPhone("bad deletions");
    const times = [0, 1, 2].map((minute) => ({ timestamp: at(minute), value: 60 }));
    await sync({ stage: "daily", resources: { heartrate: times } });
    await service.settle();
    const { status, body } = await sync({
      part: 1,
      stage: "daily",
      resources: { heartrate: [{ timestamp: at(3), value: 60 }] },
      deleted: {
        heartrate: [{ timestamp: null }, { start: at(0) }, "garbage", { timestamp: at(1) }, { timestamp: "never" }],
        steps: [{ start: 5 }],
      },
    });
    expect([status, body.accepted]).toEqual([202, 3]);
    const refused = body.rejected.map(({ resource, index, reason }: Answer["body"]) => [resource, index, reason]);
    expect(refused).toEqual([
      ["deleted.heartrate", 0, "bad_time"],
      ["deleted.heartrate", 2, "bad_time"],
      ["deleted.heartrate", 4, "bad_time"],
      ["deleted.steps", 0, "bad_time"],
    ]);
    await service.settle();
    const stored = await service.call("GET", `/v2/timeseries/${userId}/heartrate/grouped?start_date=2026-05-01`);
    const left = stored.body.groups.apple_health_kit[0].data.map(({ timestamp }: Answer["body"]) => timestamp);
    expect(left.map((one: string) => Date.parse(one)).toSorted()).toEqual([at(2), at(3)].map((one) => Date.parse(one)));
  });
});

describe("the history of a phone", () => {
  test("announces no resource of deletions and of new data in the same synchronisation", async () => {
    const { userId, sync } = await createPhone("only heart rate");
    await sync({
      resources: { heartrate: [{ timestamp: at(5), value: 60 }] },
      deleted: { glucose: [{ timestamp: at(0) }], heartrate: [{ timestamp: at(0) }] },
    });
    await sync({ part: 1, stage: "daily", resources: { hrv: [{ timestamp: at(0), value: 40 }] } });
    await sync({ part: 2, done: true });
    const announced = await announcedOf(userId);
    expect(Object.keys(announced)).toEqual(["apple_health_kit heartrate"]);
    expect(announced["apple_health_kit heartrate"].start_date).toBe("2026-05-01T08:05:00.000Z");
  });

  test("announces derived activity and workout streams too", async () => {
    const { userId, sync } = await createPhone("runner");
    const run = { provider_id: "run", sport: { name: "Run", slug: "running" } };
    const time = [at(0), at(1)].map((one) => Date.parse(one) / 1000);
    await sync({
      done: true,
      resources: {
        steps: [{ start: "2026-05-02T23:30:00-05:00", end: "2026-05-02T23:40:00-05:00", value: 500 }],
        workouts: [{ ...run, time_start: at(0), time_end: at(1) }],
        workout_stream: [{ provider_id: "run", time, heartrate: [100, 101] }],
      },
    });
    const announced = await announcedOf(userId);
    expect(Object.keys(announced).toSorted()).toEqual(
      ["activity", "steps", "workout_stream", "workouts"].map((name) => `apple_health_kit ${name}`),
    );
    expect(announced["apple_health_kit activity"]).toMatchObject({
      start_date: "2026-05-02T00:00:00.000Z",
      end_date: "2026-05-02T00:00:00.000Z",
    });
    expect(announced["apple_health_kit workout_stream"]).toMatchObject({
      start_date: "2026-05-01T08:00:00.000Z",
      end_date: "2026-05-01T08:01:00.000Z",
    });
  });

  test("states the days of summaries, so that a read of the range finds all of them", async () => {
    const { userId, sync } = await createPhone("sleeper");
    // Falls asleep in the evening of UTC, and wakes up on the next day.
    const night = (day: number) => ({
      bedtime_start: `2026-05-0${day}T22:00:00+00:00`,
      bedtime_stop: `2026-05-0${day + 1}T06:00:00+00:00`,
      ...{ duration: 28_800, total: 25_200, awake: 3_600, light: 12_600, rem: 6_300, deep: 6_300 },
    });
    await sync({ done: true, resources: { sleep: [night(1), night(2), night(3)] } });
    const { start_date, end_date } = (await announcedOf(userId))["apple_health_kit sleep"];
    const { body } = await service.call(
      "GET",
      `/v2/summary/sleep/${userId}?${new URLSearchParams({ start_date, end_date })}`,
    );
    expect(body.sleep).toHaveLength(3);
    expect([start_date, end_date].map((one) => one.slice(0, 10))).toEqual([
      body.sleep.map(({ calendar_date }: Answer["body"]) => calendar_date).toSorted()[0],
      body.sleep.map(({ calendar_date }: Answer["body"]) => calendar_date).toSorted()[2],
    ]);
  });
});
