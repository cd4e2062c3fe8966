import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";
import {
  eventTypesOf,
  exampleSleep,
  exampleSleepStream,
  exampleWorkout,
  exampleWorkoutStream,
  listStreamObjects,
  readStream,
  readSummaryId,
  streamEvents,
  WORKOUT_START_S,
} from "./stream-examples.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("a repeated stream changes nothing, and another stream replaces it and its object", async () => {
  const userId = await service.createUser("replaced");
  await ingestBatch(service, userId, { workouts: [exampleWorkout], workout_stream: [exampleWorkoutStream] });
  const [first] = await listStreamObjects(service, userId);
  expect(await ingestBatch(service, userId, { workout_stream: [exampleWorkoutStream] })).toMatchObject({
    unchanged: 1,
    event_ids: [],
  });
  expect(await listStreamObjects(service, userId)).toEqual([first]);
  const longer = {
    provider_id: "run-1",
    time: [...exampleWorkoutStream.time, WORKOUT_START_S + 9],
    power: [1, 2, 3, 4],
  };
  const changed = await ingestBatch(service, userId, { workout_stream: [longer] });
  expect(changed).toMatchObject({ stored: 0, updated: 1, event_ids: [expect.any(String)] });
  expect((await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"))).body).toMatchObject({
    time: longer.time,
    power: [1, 2, 3, 4],
    heartrate: [],
  });
  const objects = await listStreamObjects(service, userId);
  expect([objects.length, objects.includes(first ?? "")]).toEqual([1, false]);
  expect(eventTypesOf(await streamEvents(service, userId))).toEqual([
    "daily.data.workout_stream.created",
    "daily.data.workout_stream.updated",
  ]);
});

test("the last stream of a workout in a batch wins, and sources are independent", async () => {
  const userId = await service.createUser("last wins");
  const other = { ...exampleWorkoutStream, heartrate: [90, 91, 92] };
  const receipt = await ingestBatch(service, userId, {
    workouts: [exampleWorkout],
    workout_stream: [other, exampleWorkoutStream],
  });
  expect(receipt).toMatchObject({ stored: 2, unchanged: 1 });
  await ingestBatch(service, userId, { workout_stream: [other] }, { provider: "garmin" });
  expect(
    (await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"))).body.heartrate,
  ).toEqual([120, null, 124]);
});

test("the stream of a workout that is received last wins, even if it is stored first", { tags: "deep" }, async () => {
  const userId = await service.createUser("out of order");
  await ingestBatch(service, userId, { workouts: [exampleWorkout] });
  service.cloud.faults.add({
    service: "dynamodb",
    function: findFunctionName(service, "storeBatch"),
    mode: "fail_before",
  });
  const { receipt_id } = await ingestBatch(service, userId, {
    workout_stream: [{ ...exampleWorkoutStream, heartrate: [90, 91, 92] }],
  });
  service.cloud.faults.clear();
  expect(await ingestBatch(service, userId, { workout_stream: [exampleWorkoutStream] })).toMatchObject({
    status: "done",
    stored: 1,
  });
  await service.advance(10 * 60_000);
  const { body: earlier } = await service.call("GET", `/v2/ingest/${userId}/${receipt_id}`);
  expect(earlier).toMatchObject({ status: "done", stored: 0, updated: 0, unchanged: 1, event_ids: [] });
  expect(
    (await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"))).body.heartrate,
  ).toEqual([120, null, 124]);
  expect(eventTypesOf(await streamEvents(service, userId))).toEqual(["daily.data.workout_stream.created"]);
});

test.each([
  ["s3", "fail_before"],
  ["s3", "fail_after"],
  ["dynamodb", "fail_after"],
] as const)(
  "a stream is stored and sent once, whichever call to %s is interrupted (%s)",
  { tags: "deep" },
  async (name, mode) => {
    const storer = findFunctionName(service, "storeBatch");
    for (let at_call = 1, struck = 1; struck > 0; at_call++) {
      const userId = await service.createUser(`cut off ${name} ${mode} ${at_call}`);
      await ingestBatch(service, userId, {
        workouts: [exampleWorkout],
        workout_stream: [{ ...exampleWorkoutStream, heartrate: [90, 91, 92] }],
      });
      service.cloud.faults.add({ service: name, function: storer, mode, at_call, every_attempt: true });
      await ingestBatch(service, userId, { workout_stream: [exampleWorkoutStream] });
      struck = service.cloud.faults.list()[0]?.struck ?? 0;
      service.cloud.faults.clear();
      await service.advance(10 * 60_000);
      expect(eventTypesOf(await streamEvents(service, userId))).toEqual([
        "daily.data.workout_stream.created",
        "daily.data.workout_stream.updated",
      ]);
      const { body } = await readStream(service, "workouts", await readSummaryId(service, userId, "workouts"));
      expect([at_call, body.heartrate, (await listStreamObjects(service, userId)).length]).toEqual([
        at_call,
        [120, null, 124],
        1,
      ]);
    }
  },
);

test("an erasure deletes streams with their objects, and none of other users", { tags: "deep" }, async () => {
  const [erased, staying] = [await service.createUser("streams erased"), await service.createUser("streams staying")];
  for (const userId of [erased, staying]) {
    await ingestBatch(service, userId, {
      workouts: [exampleWorkout],
      workout_stream: [exampleWorkoutStream],
      sleep: [exampleSleep],
      sleep_stream: [exampleSleepStream],
    });
  }
  expect(
    [await listStreamObjects(service, erased), await listStreamObjects(service, staying)].map(({ length }) => length),
  ).toEqual([2, 2]);
  await service.call("DELETE", `/v2/user/${erased}`);
  service.cloud.faults.add({ service: "s3", function: findFunctionName(service, "eraseUser"), mode: "fail_before" });
  await service.advance(7 * DAY_MS + 1_000);
  expect(await listStreamObjects(service, erased)).toHaveLength(2);
  service.cloud.faults.clear();
  await service.advance(DAY_MS / 24);
  expect([await listStreamObjects(service, erased), await findItemsContaining(service, erased)]).toEqual([[], []]);
  expect(await listStreamObjects(service, staying)).toHaveLength(2);
  expect((await readStream(service, "workouts", await readSummaryId(service, staying, "workouts"))).body.time).toEqual(
    exampleWorkoutStream.time,
  );
});
