import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { dropOf, rejectionOf } from "../ingest/expected-rejections.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import {
  exampleSleep,
  exampleSleepStream,
  exampleWorkout,
  exampleWorkoutStream,
  readStream,
  readSummaryId,
  streamEvents,
} from "./stream-examples.ts";

const UNKNOWN = "5b1d6f0e-0000-8000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("the streams of a workout and of a sleep are read back by the ids of their summaries [timeseries-13]", async () => {
  const userId = await service.createUser("streams");
  const receipt = await ingestBatch(service, userId, {
    workouts: [exampleWorkout],
    workout_stream: [exampleWorkoutStream],
    sleep: [exampleSleep],
    sleep_stream: [exampleSleepStream],
  });
  expect(receipt).toMatchObject({ status: "done", stored: 4, updated: 0, unchanged: 0, rejected: [] });
  const workout = await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"));
  const { provider_id: _, ...lists } = exampleWorkoutStream;
  const notMeasured = { cadence: [], altitude: [], velocity_smooth: [], power: [], resistance: [], temperature: [] };
  expect([workout.status, workout.body]).toEqual([200, { ...notMeasured, ...lists }]);
  const sleep = await readStream(service, "sleep", await readSummaryId(service, userId, "sleep"));
  expect(sleep.status).toBe(200);
  expect(sleep.body).toMatchObject({
    hrv: [],
    heartrate: [{ timestamp: "2026-04-30T21:05:00+00:00", value: 55, unit: "bpm" }],
    hypnogram: [{ start: "2026-04-30T21:00:00+00:00", end: "2026-04-30T21:30:00+00:00", value: 2, unit: "stage" }],
    respiratory_rate: [],
  });
});

test("a new stream sends an event with its workout and without its points, and is readable from then on [events-08] [events-23] [events-24] [events-25] [events-26]", async () => {
  const userId = await service.createUser("announced");
  await ingestBatch(service, userId, {
    workouts: [exampleWorkout],
    workout_stream: [exampleWorkoutStream],
    sleep: [exampleSleep],
    sleep_stream: [exampleSleepStream],
  });
  const [event, ...others] = await streamEvents(service, userId);
  expect(others).toEqual([]);
  expect(event).toEqual({
    event_type: "daily.data.workout_stream.created",
    team_id: service.identity.team_id,
    user_id: userId,
    client_user_id: "announced",
    data: {
      user_id: userId,
      source: expect.objectContaining({ name: "Apple HealthKit", slug: "apple_health_kit", logo: expect.any(String) }),
      workout_id: await readSummaryId(service, userId, "workouts"),
      provider_id: "run-1",
      sport: { id: 1, name: "Running", slug: "running" },
      message: expect.any(String),
    },
  });
  expect((await readStream(service, "workouts", event.data.workout_id)).body.heartrate).toEqual([120, null, 124]);
});

test("a stream that arrives before its workout sends one event after both are stored", async () => {
  const userId = await service.createUser("early");
  expect(await ingestBatch(service, userId, { workout_stream: [exampleWorkoutStream] })).toMatchObject({
    stored: 1,
    event_ids: [],
  });
  const receipt = await ingestBatch(service, userId, { workouts: [exampleWorkout] });
  expect(receipt.event_ids).toHaveLength(2);
  const workout_id = await readSummaryId(service, userId, "workouts");
  expect(await streamEvents(service, userId)).toMatchObject([
    { event_type: "daily.data.workout_stream.created", data: { workout_id, sport: { slug: "running" } } },
  ]);
  expect((await readStream(service, "workouts", workout_id)).body.time).toEqual(exampleWorkoutStream.time);
  expect((await ingestBatch(service, userId, { workouts: [exampleWorkout] })).event_ids).toEqual([]);
  expect(
    (await ingestBatch(service, userId, { workouts: [{ ...exampleWorkout, distance: 8_000 }] })).event_ids,
  ).toHaveLength(1);
  expect(await streamEvents(service, userId)).toHaveLength(1);
});

test("historical streams send one event together", async () => {
  const userId = await service.createUser("history");
  await ingestBatch(
    service,
    userId,
    { sleep: [exampleSleep], sleep_stream: [exampleSleepStream] },
    { stage: "historical" },
  );
  expect(await streamEvents(service, userId)).toEqual([]);
  await ingestBatch(service, userId, { workout_stream: [exampleWorkoutStream] }, { stage: "historical" });
  expect(await streamEvents(service, userId)).toMatchObject([
    {
      event_type: "historical.data.workout_stream.created",
      data: { start_date: "2026-05-01T06:00:00.000Z", end_date: "2026-05-01T06:00:02.000Z", is_final: true },
    },
  ]);
  await ingestBatch(service, userId, { workouts: [exampleWorkout] });
  expect(await streamEvents(service, userId)).toHaveLength(1);
});

test("a workout or sleep without a stream returns empty lists", async () => {
  const userId = await service.createUser("no stream");
  const { provider_id: _, ...nameless } = exampleSleep;
  await ingestBatch(service, userId, { workouts: [exampleWorkout], sleep: [nameless] });
  const workout = await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"));
  expect([workout.status, Object.keys(workout.body).length, Object.values(workout.body).flat()]).toEqual([200, 11, []]);
  const sleep = await readStream(service, "sleep", await readSummaryId(service, userId, "sleep"));
  const nothing = { hrv: [], heartrate: [], hypnogram: [], respiratory_rate: [] };
  expect([sleep.status, sleep.body]).toEqual([200, nothing]);
  await ingestBatch(service, userId, { sleep: [exampleSleep], sleep_stream: [exampleSleepStream] });
  expect(
    (await readStream(service, "sleep", await readSummaryId(service, userId, "sleep"))).body.heartrate,
  ).toHaveLength(1);
});

test("ids that are unknown, of another team, of another kind or of a deleted user are 404", async () => {
  const userId = await service.createUser("hidden");
  await ingestBatch(service, userId, {
    workouts: [exampleWorkout],
    workout_stream: [exampleWorkoutStream],
    sleep: [exampleSleep],
    sleep_stream: [exampleSleepStream],
  });
  const [workoutId, sleepId] = [
    await readSummaryId(service, userId, "workouts"),
    await readSummaryId(service, userId, "sleep"),
  ];
  const { key } = await service.createTeam("Curious");
  const answers = [
    await readStream(service, "workouts", UNKNOWN),
    await readStream(service, "sleep", UNKNOWN),
    await readStream(service, "workouts", sleepId),
    await readStream(service, "sleep", workoutId),
    await readStream(service, "workouts", workoutId, key),
    await readStream(service, "sleep", sleepId, key),
  ];
  expect((await readStream(service, "workouts", workoutId.toUpperCase())).status).toBe(200);
  await service.call("DELETE", `/v2/user/${userId}`);
  answers.push(await readStream(service, "workouts", workoutId), await readStream(service, "sleep", sleepId));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, "not_found"]));
  expect((await readStream(service, "workouts", "run-1")).status).toBe(422);
});

test("invalid streams are named with location and reason, and the others are stored", async () => {
  const userId = await service.createUser("bad streams");
  const receipt = await ingestBatch(service, userId, {
    workout_stream: [
      { ...exampleWorkoutStream, heartrate: [1] },
      exampleWorkoutStream,
      { ...exampleWorkoutStream, time: "now" },
    ],
    sleep_stream: [
      { provider_id: "night-1" },
      { ...exampleSleepStream, hrv: [{ timestamp: "2026-05-01T01:00:00Z", value: -1 }] },
    ],
  });
  expect(receipt).toMatchObject({ stored: 2 });
  expect(receipt.rejected).toEqual([
    dropOf("workout_stream", 0, "heartrate", "bad_field"),
    rejectionOf("workout_stream", 2, "time", "bad_time"),
    rejectionOf("sleep_stream", 0, null, "bad_field"),
    dropOf("sleep_stream", 1, "hrv", "value_out_of_range"),
  ]);
});

test("a simulated phone sends a profile, its devices, and streams of all workouts and nights", {
  tags: "deep",
  timeout: 240_000,
}, async () => {
  const userId = await service.createUser("demo streams");
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider: "apple_health_kit" } });
  await service.settle();
  const read = async (path: string) => (await service.call("GET", path)).body;
  expect(await read(`/v2/summary/profile/${userId}`)).toMatchObject({ height: expect.any(Number) });
  const { devices } = await read(`/v2/summary/devices/${userId}/raw`);
  const models = devices.map(({ data }: { data: { device_model: string } }) => data.device_model);
  expect(models.toSorted()).toEqual(["Watch7,5", "iPhone16,2"]);
  for (const kind of ["workouts", "sleep"] as const) {
    const sessions: { id: string }[] = (await read(`/v2/summary/${kind}/${userId}?start_date=2020-01-01`))[kind];
    const beats = await Promise.all(
      sessions.map(async ({ id }) => (await readStream(service, kind, id)).body.heartrate.length),
    );
    expect([kind, beats.length > 5, beats.every((count) => count > 20)]).toEqual([kind, true, true]);
  }
});
