import { type GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { summaryTable } from "../../../lib/contract/resources.ts";
import { activity } from "../../../lib/domain/summaries/activity.ts";
import { meal } from "../../../lib/domain/summaries/meal.ts";
import { sleep } from "../../../lib/domain/summaries/sleep.ts";
import { sleepCycle } from "../../../lib/domain/summaries/sleep-cycle.ts";
import type { AcceptedSummary, SummaryKind } from "../../../lib/domain/summaries/summary-kind.ts";
import { workouts } from "../../../lib/domain/summaries/workouts.ts";
import type { Recorder } from "../../../lib/store/recorder-key.ts";
import { SummaryStore } from "../../../lib/store/summaries/summaries.ts";
import { summaryItemKey } from "../../../lib/store/summaries/summary-keys.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createUserCiphers } from "../../support/user-ciphers.ts";

const scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
const DAY = "2026-05-01";
const SOURCE = { provider: "garmin", sourceType: "watch" };
const nothing: Recorder = { deviceId: null, appId: null };
const left: Recorder = { deviceId: "left", appId: null };
const right: Recorder = { deviceId: "right", appId: null };

let dynamodb: TestDynamodb;
let store: SummaryStore;
let userId = "";
let place = 0;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  store = new SummaryStore(new Table(dynamodb.documents, summaryTable.name), createUserCiphers(), 1_000);
});
afterAll(() => dynamodb.stop());
beforeEach(() => {
  userId = `user ${++place}`;
});

const dayOf = (steps: number): AcceptedSummary => ({
  key: DAY,
  providerId: null,
  fields: { calendar_date: DAY, steps },
});

/** Stores a summary as the batch received at an instant, while no other batch is pending. */
const receive = (recorder: Recorder, at: number, accepted = dayOf(at), kind: SummaryKind = activity) =>
  store.merge(
    scope,
    { userId, kind, ...SOURCE, ...recorder, accepted },
    { receivedAt: at, receiptId: `receipt ${at}` },
    async () => true,
  );

const derive = async (steps: number, at: number) => {
  const stored = (await store.list(scope, userId, activity, { from: DAY, to: DAY })).find(({ derived }) => derived);
  const receipt = { receivedAt: at, receiptId: `receipt ${at}` };
  return store.putDerived(scope, { userId, kind: activity, ...SOURCE, accepted: dayOf(steps) }, stored, receipt);
};

const listed = async (kind: SummaryKind = activity, asOf?: number) =>
  (await store.listAll(scope, userId, kind, asOf)).map(({ device_id, app_id, fields }) => [
    device_id,
    app_id ?? null,
    fields.steps ?? fields.name,
  ]);

/** Makes the summary without recorder one that a version without apps stored for a device. */
async function storeAsEarlierVersion(deviceId: string | null, kind: SummaryKind = activity, key = DAY): Promise<void> {
  await dynamodb.documents.send(
    new UpdateCommand({
      TableName: summaryTable.name,
      Key: summaryItemKey(scope, { userId, kind: kind.name, key, ...SOURCE }),
      UpdateExpression: "SET device_id = :device REMOVE app_id",
      ExpressionAttributeValues: { ":device": deviceId },
    }),
  );
}

/** Counts the reads of single items and of batches. */
async function countReads(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const reads: Record<string, number> = {};
  const send = dynamodb.documents.send.bind(dynamodb.documents);
  Object.assign(dynamodb.documents, {
    send: (command: { constructor: { name: string } }) => {
      const { name } = command.constructor;
      if (name.includes("Get") || name.includes("Query")) reads[name] = (reads[name] ?? 0) + 1;
      return send(command as GetCommand);
    },
  });
  await work().finally(() => Object.assign(dynamodb.documents, { send }));
  return reads;
}

describe("summaries of several devices", () => {
  test("stand beside one another, with ids that do not depend on the order of arrival", async () => {
    const orders = fc.shuffledSubarray([nothing, left, right, { ...left, appId: "app" }], { minLength: 4 });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        userId = "same user";
        const ids = new Map<string, string>();
        for (const recorder of order) ids.set(JSON.stringify(recorder), (await receive(recorder, 1)).record.id);
        expect(new Set(ids.values()).size).toBe(4);
        seen.add(JSON.stringify([...ids].sort()));
        expect(await listed()).toHaveLength(4);
        await store.eraseUser(scope, userId);
      }),
      { numRuns: 12 },
    );
    expect(seen.size).toBe(1);
  });

  test("replace only the earlier summary of their own device", async () => {
    for (const [recorder, at] of [
      [left, 1],
      [right, 2],
      [left, 3],
    ] as const)
      await receive(recorder, at);
    expect((await listed()).sort()).toEqual([
      ["left", null, 3],
      ["right", null, 2],
    ]);
    expect((await listed(activity, 2)).sort()).toEqual([
      ["left", null, 1],
      ["right", null, 2],
    ]);
  });

  test("cost one read; a summary without device and app is read alone", async () => {
    await receive(left, 0);
    expect(await countReads(() => receive(nothing, 1))).toEqual({ GetCommand: 1 });
    expect(await countReads(() => receive(left, 2))).toEqual({ BatchGetCommand: 1 });
  });

  test("a late one is a version of its own summary only", async () => {
    for (const [recorder, at] of [
      [nothing, 1],
      [nothing, 5],
      [left, 2],
      [left, 6],
      [nothing, 3],
    ] as const)
      await receive(recorder, at);
    expect((await listed(activity, 4)).sort()).toEqual(
      [
        [null, null, 3],
        ["left", null, 2],
      ].sort(),
    );
  });
});

describe("a summary that an earlier version stored", () => {
  test("stays that of its device, with its id, when the device names its app from now on", async () => {
    const { record } = await receive(nothing, 1);
    await storeAsEarlierVersion("left");
    const withApp = { ...left, appId: "com.example" };
    const other = await receive(right, 2);
    const again = await receive(withApp, 3);
    const oncemore = await receive(withApp, 4);
    expect([again, oncemore].map(({ outcome, record: { id } }) => [outcome, id])).toEqual([
      ["updated", record.id],
      ["updated", record.id],
    ]);
    expect(other.outcome).toBe("created");
    expect((await receive(left, 5)).outcome).toBe("created");
    expect((await listed()).sort()).toEqual(
      [
        ["left", "com.example", 4],
        ["left", null, 5],
        ["right", null, 2],
      ].sort(),
    );
  });

  test("without a device becomes that of the first device, and later stays without one if its source sends it so", async () => {
    const { record } = await receive(nothing, 1);
    await storeAsEarlierVersion(null);
    const claimed = await receive(left, 2);
    expect([claimed.outcome, claimed.record.id]).toEqual(["updated", record.id]);
    expect((await receive(right, 3)).outcome).toBe("created");
    expect((await receive(nothing, 4)).record.id).toBe(record.id);
    expect((await receive(left, 5)).outcome).toBe("created");
    expect((await listed()).sort()).toEqual(
      [
        [null, null, 4],
        ["left", null, 5],
        ["right", null, 3],
      ].sort(),
    );
  });

  test("written beside one of this version during a deployment, counts if it was received later", async () => {
    for (const [early, late] of [
      [1, 2],
      [4, 3],
    ] as const) {
      userId = `deployed ${early}`;
      await receive(left, early);
      await receive(nothing, late);
      await storeAsEarlierVersion("left");
      expect(await listed()).toEqual([["left", null, Math.max(early, late)]]);
      await receive(left, 5);
      expect(await listed()).toEqual([["left", null, 5]]);
    }
  });

  test("keeps the link between a sleep and its cycle", async () => {
    const start = "2026-05-01T22:00:00+00:00";
    const night = { key: start, providerId: null, fields: { bedtime_start: start, calendar_date: DAY } };
    const links = { sleep_id: { kind: "sleep", key: start } } as const;
    const cycle = { key: start, providerId: null, fields: { session_start: start, n: 1 }, links };
    const { record } = await receive(nothing, 1, night, sleep);
    await receive(nothing, 1, cycle, sleepCycle);
    await storeAsEarlierVersion("left", sleep, start);
    await storeAsEarlierVersion("left", sleepCycle, start);
    const changed = { ...cycle, fields: { ...cycle.fields, n: 2 } };
    expect((await receive(left, 2, changed, sleepCycle)).record.fields.sleep_id).toBe(record.id);
    const ofRight = await receive(right, 3, night, sleep);
    expect((await receive(right, 3, cycle, sleepCycle)).record.fields.sleep_id).toBe(ofRight.record.id);
  });
});

describe("a summary with the provider's id", () => {
  const run = (name: string): AcceptedSummary => ({
    key: "w1#x",
    providerId: "w1#x",
    fields: { calendar_date: DAY, time_start: `${DAY}T08:00:00+00:00`, name },
  });

  test.each([[[1, 2, 3]], [[3, 1, 2]], [[2, 3, 1]]])(
    "is one record, of the device received last (%j)",
    async (order) => {
      const recorders = [nothing, left, { deviceId: "right", appId: "com.example" }];
      for (const at of order) {
        const receipt = { receivedAt: at, receiptId: `receipt ${at}` };
        const recorder = recorders[at - 1] ?? nothing;
        const incoming = { userId, kind: workouts, ...SOURCE, ...recorder, accepted: run("run") };
        await store.merge(scope, incoming, receipt, async () => false);
      }
      expect(await listed(workouts)).toEqual([["right", "com.example", "run"]]);
    },
  );

  test("is a meal, whereas meals without one belong to their device", async () => {
    const eaten = (providerId: string | null): AcceptedSummary => ({
      key: providerId ?? `${DAY}T12:00:00+00:00`,
      providerId,
      fields: { calendar_date: DAY, timestamp: `${DAY}T12:00:00+00:00`, name: "soup" },
    });
    for (const recorder of [left, right]) for (const id of ["m1", null]) await receive(recorder, 1, eaten(id), meal);
    expect(await listed(meal)).toHaveLength(3);
  });
});

describe("a derived activity", () => {
  test("names no recorder, and reads omit it once a device sends its own", async () => {
    await derive(10, 1);
    expect(await listed()).toEqual([[null, null, 10]]);
    await receive(left, 3);
    expect(await listed()).toEqual([["left", null, 3]]);
    expect(await listed(activity, 2)).toEqual([[null, null, 10]]);
    expect(await listed(activity, 4)).toEqual([["left", null, 3]]);
  });

  test("of an earlier version becomes the activity that its device sends, under its id", async () => {
    const derived = await derive(10, 1);
    await storeAsEarlierVersion("left");
    const sent = await receive(left, 2);
    expect([sent.outcome, sent.record.id]).toEqual(["updated", derived?.id]);
    expect(await listed()).toEqual([["left", null, 2]]);
  });
});
