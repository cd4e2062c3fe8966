import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../support/service.ts";
import { push } from "./pushing.ts";
import { functionNamed, itemsNaming } from "./stored-items.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN = "5b1d6f0e-0000-8000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const run = {
  provider_id: "run-1",
  time_start: "2026-05-01T06:00:00Z",
  time_end: "2026-05-01T06:40:00Z",
  sport: { id: 1, name: "Running", slug: "running" },
};
const night = {
  provider_id: "night-1",
  bedtime_start: "2026-04-30T23:00:00+02:00",
  bedtime_stop: "2026-05-01T07:00:00+02:00",
};
const startS = Date.parse(run.time_start) / 1000;
const runStream = {
  provider_id: "run-1",
  time: [startS, startS + 1, startS + 2],
  heartrate: [120, null, 124],
  lat: [52.5, 52.50001, 52.50002],
  lng: [13.4, 13.40001, 13.40002],
  distance: [0, 2.8, 5.6],
};
const nightStream = {
  provider_id: "night-1",
  heartrate: [{ timestamp: "2026-04-30T21:05:00Z", value: 55 }],
  hypnogram: [{ start: "2026-04-30T21:00:00Z", end: "2026-04-30T21:30:00Z", value: 2 }],
};

async function idOf(userId: string, kind: "workouts" | "sleep", key?: string): Promise<string> {
  const path = `/v2/summary/${kind}/${userId}?start_date=2026-05-01`;
  return (await service.call("GET", path, key ? { key } : {})).body[kind][0].id;
}
const read = (kind: "workouts" | "sleep", id: string, key?: string) =>
  service.call("GET", `/v2/timeseries/${kind}/${id}/stream`, key ? { key } : {});

/** Types and data of the events of a user's workout streams, oldest first. */
async function streamEvents(userId: string) {
  const bodies = (await service.inbox()).map(({ body }) => body).filter(({ user_id }) => user_id === userId);
  return bodies.filter(({ event_type }) => event_type.includes("workout_stream"));
}
const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);

/** The names of all stream objects of a user. */
async function objectsOf(userId: string): Promise<string[]> {
  const { s3, assembly } = service.cloud;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new S3Client({ endpoint: s3.origin, region: assembly.region, credentials, forcePathStyle: true });
  const Bucket = assembly.resources.find(({ type, name }) => type === "AWS::S3::Bucket" && /stream/i.test(name))?.name;
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix: `${service.identity.team_id}/${userId}/` }),
  );
  client.destroy();
  return Contents.map(({ Key = "" }) => Key);
}

test("the streams of a workout and of a sleep are read back by the ids of their summaries [timeseries-13]", async () => {
  const userId = await service.createUser("streams");
  const receipt = await push(service, userId, {
    workouts: [run],
    workout_stream: [runStream],
    sleep: [night],
    sleep_stream: [nightStream],
  });
  expect(receipt).toMatchObject({ status: "done", stored: 4, updated: 0, unchanged: 0, rejected: [] });
  const workout = await read("workouts", await idOf(userId, "workouts"));
  const { provider_id: _, ...lists } = runStream;
  const notMeasured = { cadence: [], altitude: [], velocity_smooth: [], power: [], resistance: [], temperature: [] };
  expect([workout.status, workout.body]).toEqual([200, { ...notMeasured, ...lists }]);
  const sleep = await read("sleep", await idOf(userId, "sleep"));
  expect(sleep.status).toBe(200);
  expect(sleep.body).toMatchObject({
    hrv: [],
    heartrate: [{ timestamp: "2026-04-30T21:05:00+00:00", value: 55, unit: "bpm" }],
    hypnogram: [{ start: "2026-04-30T21:00:00+00:00", end: "2026-04-30T21:30:00+00:00", value: 2, unit: "stage" }],
    respiratory_rate: [],
  });
});

test("a new stream is announced with its workout and without its points, and can be read then [events-08] [events-23] [events-24] [events-25] [events-26]", async () => {
  const userId = await service.createUser("announced");
  await push(service, userId, {
    workouts: [run],
    workout_stream: [runStream],
    sleep: [night],
    sleep_stream: [nightStream],
  });
  const [event, ...others] = await streamEvents(userId);
  expect(others).toEqual([]);
  expect(event).toEqual({
    event_type: "daily.data.workout_stream.created",
    team_id: service.identity.team_id,
    user_id: userId,
    client_user_id: "announced",
    data: {
      user_id: userId,
      source: expect.objectContaining({ name: "Apple HealthKit", slug: "apple_health_kit", logo: expect.any(String) }),
      workout_id: await idOf(userId, "workouts"),
      provider_id: "run-1",
      sport: { id: 1, name: "Running", slug: "running" },
      message: expect.any(String),
    },
  });
  expect((await read("workouts", event.data.workout_id)).body.heartrate).toEqual([120, null, 124]);
  expect(typesOf(await service.inbox().then((all) => all.map(({ body }) => body)))).not.toContainEqual(
    expect.stringContaining("sleep_stream"),
  );
});

test("the same stream again changes nothing, another one replaces it and the object of the old", async () => {
  const userId = await service.createUser("replaced");
  await push(service, userId, { workouts: [run], workout_stream: [runStream] });
  const [first] = await objectsOf(userId);
  expect(await push(service, userId, { workout_stream: [runStream] })).toMatchObject({ unchanged: 1, event_ids: [] });
  expect(await objectsOf(userId)).toEqual([first]);
  const longer = { provider_id: "run-1", time: [...runStream.time, startS + 9], power: [1, 2, 3, 4] };
  const changed = await push(service, userId, { workout_stream: [longer] });
  expect(changed).toMatchObject({ stored: 0, updated: 1, event_ids: [expect.any(String)] });
  expect((await read("workouts", await idOf(userId, "workouts"))).body).toMatchObject({
    time: longer.time,
    power: [1, 2, 3, 4],
    heartrate: [],
  });
  const objects = await objectsOf(userId);
  expect([objects.length, objects.includes(first ?? "")]).toEqual([1, false]);
  expect(typesOf(await streamEvents(userId))).toEqual([
    "daily.data.workout_stream.created",
    "daily.data.workout_stream.updated",
  ]);
});

test("within a batch the last stream of a workout wins, and sources do not disturb one another", async () => {
  const userId = await service.createUser("last wins");
  const other = { ...runStream, heartrate: [90, 91, 92] };
  const receipt = await push(service, userId, { workouts: [run], workout_stream: [other, runStream] });
  expect(receipt).toMatchObject({ stored: 2, unchanged: 1 });
  await push(service, userId, { workout_stream: [other] }, { provider: "garmin" });
  expect((await read("workouts", await idOf(userId, "workouts"))).body.heartrate).toEqual([120, null, 124]);
});

test("a stream that comes before its workout is announced once both are there", async () => {
  const userId = await service.createUser("early");
  expect(await push(service, userId, { workout_stream: [runStream] })).toMatchObject({ stored: 1, event_ids: [] });
  const receipt = await push(service, userId, { workouts: [run] });
  expect(receipt.event_ids).toHaveLength(2);
  const workout_id = await idOf(userId, "workouts");
  expect(await streamEvents(userId)).toMatchObject([
    { event_type: "daily.data.workout_stream.created", data: { workout_id, sport: { slug: "running" } } },
  ]);
  expect((await read("workouts", workout_id)).body.time).toEqual(runStream.time);
  await push(service, userId, { workouts: [{ ...run, distance: 8_000 }] });
  expect(await streamEvents(userId)).toHaveLength(1);
});

test("streams of history are announced together", async () => {
  const userId = await service.createUser("history");
  await push(service, userId, { workouts: [run], workout_stream: [runStream] }, { stage: "historical" });
  expect(await streamEvents(userId)).toMatchObject([
    {
      event_type: "historical.data.workout_stream.created",
      data: { start_date: "2026-05-01T06:00:00.000Z", end_date: "2026-05-01T06:00:02.000Z", is_final: true },
    },
  ]);
  await push(service, userId, { workouts: [{ ...run, distance: 8_000 }] });
  expect(await streamEvents(userId)).toHaveLength(1);
});

test("a workout or sleep without a stream answers empty lists", async () => {
  const userId = await service.createUser("no stream");
  const { provider_id: _, ...nameless } = night;
  await push(service, userId, { workouts: [run], sleep: [nameless] });
  const workout = await read("workouts", await idOf(userId, "workouts"));
  expect([workout.status, Object.keys(workout.body).length, Object.values(workout.body).flat()]).toEqual([200, 11, []]);
  const sleep = await read("sleep", await idOf(userId, "sleep"));
  const nothing = { hrv: [], heartrate: [], hypnogram: [], respiratory_rate: [] };
  expect([sleep.status, sleep.body]).toEqual([200, nothing]);
  await push(service, userId, { sleep: [night], sleep_stream: [nightStream] });
  expect((await read("sleep", await idOf(userId, "sleep"))).body.heartrate).toHaveLength(1);
});

test("ids that are unknown, another team's, of another kind or a deleted user's are 404", async () => {
  const userId = await service.createUser("hidden");
  await push(service, userId, {
    workouts: [run],
    workout_stream: [runStream],
    sleep: [night],
    sleep_stream: [nightStream],
  });
  const [workoutId, sleepId] = [await idOf(userId, "workouts"), await idOf(userId, "sleep")];
  const { key } = await service.createTeam("Curious");
  const answers = [
    await read("workouts", UNKNOWN),
    await read("sleep", UNKNOWN),
    await read("workouts", sleepId),
    await read("sleep", workoutId),
    await read("workouts", workoutId, key),
    await read("sleep", sleepId, key),
  ];
  expect((await read("workouts", workoutId.toUpperCase())).status).toBe(200);
  await service.call("DELETE", `/v2/user/${userId}`);
  answers.push(await read("workouts", workoutId), await read("sleep", sleepId));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, "not_found"]));
  expect((await read("workouts", "run-1")).status).toBe(422);
});

test("bad streams are named by place and reason, the others are taken", async () => {
  const userId = await service.createUser("bad streams");
  const receipt = await push(service, userId, {
    workout_stream: [{ ...runStream, heartrate: [1] }, runStream, { ...runStream, time: "now" }],
    sleep_stream: [
      { provider_id: "night-1" },
      { ...nightStream, hrv: [{ timestamp: "2026-05-01T01:00:00Z", value: -1 }] },
    ],
  });
  expect(receipt).toMatchObject({ stored: 1 });
  expect(receipt.rejected).toEqual([
    { resource: "workout_stream", index: 0, reason: "bad_field" },
    { resource: "workout_stream", index: 2, reason: "bad_time" },
    { resource: "sleep_stream", index: 0, reason: "bad_field" },
    { resource: "sleep_stream", index: 1, reason: "value_out_of_range" },
  ]);
});

test("erasure deletes streams with their objects, and those of no other user", async () => {
  const [erased, staying] = [await service.createUser("streams erased"), await service.createUser("streams staying")];
  for (const userId of [erased, staying]) {
    await push(service, userId, {
      workouts: [run],
      workout_stream: [runStream],
      sleep: [night],
      sleep_stream: [nightStream],
    });
  }
  expect([await objectsOf(erased), await objectsOf(staying)].map(({ length }) => length)).toEqual([2, 2]);
  await service.call("DELETE", `/v2/user/${erased}`);
  service.cloud.faults.add({ service: "s3", function: functionNamed(service, "eraseUser"), mode: "fail_before" });
  await service.advance(7 * DAY_MS + 1_000);
  expect(await objectsOf(erased)).toHaveLength(2);
  service.cloud.faults.clear();
  await service.advance(DAY_MS / 24);
  expect([await objectsOf(erased), await itemsNaming(service, erased)]).toEqual([[], []]);
  expect(await objectsOf(staying)).toHaveLength(2);
  expect((await read("workouts", await idOf(staying, "workouts"))).body.time).toEqual(runStream.time);
});
