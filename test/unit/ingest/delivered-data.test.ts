import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deliveredData as entity, eventTable } from "../../../lib/contract/resources.ts";
import { toDeliveredBatches } from "../../../lib/domain/connections/pulls/delivered-data.ts";
import { batchRanges, fillUndated } from "../../../lib/domain/connections/pulls/history-ranges.ts";
import { toWireResources } from "../../../lib/domain/connections/pulls/wire-introspection.ts";
import type { SampleBatch } from "../../../lib/domain/ingest/batch.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { DeliveredDataStore } from "../../../lib/store/connections/delivered-data.ts";
import { createReceiptId } from "../../../lib/store/ingest/receipt-id.ts";
import { ReceiptStore } from "../../../lib/store/ingest/receipts.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = "2026-05-01T08:00:00.000Z";
const MINUTE_MS = 60_000;
const scope = TeamScope.grant("team");
const user = "user";
const outcome = { stored: 1, updated: 0, unchanged: 0, event_ids: [] };

let dynamodb: TestDynamodb;
let receipts: ReceiptStore;
let deliveredData: DeliveredDataStore;
const write = (items: readonly WriteItem[]) => commit(dynamodb.documents, items);
beforeAll(async () => {
  dynamodb = await startDynamodb();
  receipts = new ReceiptStore(new Table(dynamodb.documents, eventTable.name));
  deliveredData = new DeliveredDataStore(new Table(dynamodb.documents, entity.table.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

test("a receipt stays pending when another condition of its transaction fails", async () => {
  const id = createReceiptId(0, "00");
  await receipts.open(scope, user, id, [], NOW);
  const elsewhere: WriteItem = {
    Put: {
      TableName: eventTable.name,
      Item: { pk: "other", sk: "other" },
      ConditionExpression: "attribute_exists(pk)",
    },
  };
  const closing = receipts.close(scope, user, id, { outcome, refused: [] }, NOW, (close) => write([close, elsewhere]));
  await expect(closing).rejects.toThrow(ConditionFailed);
  expect((await receipts.get(scope, user, id))?.status).toBe("pending");
});

/** A batch with a record of each of these resources, `minutes` after the first. */
const batchAt = (minutes: number, names = ["heartrate"]) => {
  const start = Date.parse(NOW) + minutes * MINUTE_MS;
  const samples = Object.fromEntries(names.map((name) => [name, [{ start, value: 60 }]]));
  return { provider: "oura", samples, summaries: {}, streams: {} } as unknown as SampleBatch;
};
const add = async (batch: SampleBatch, name: string, bytes = 0) => {
  for (const one of toDeliveredBatches(batch, name, bytes)) await deliveredData.addBatch(scope, user, one);
};
const statistics = async () => {
  const delivered = await deliveredData.list(scope, user);
  return toWireResources({ polls: [], histories: [], delivered }).oura;
};
const instant = (minutes: number) => new Date(Date.parse(NOW) + minutes * MINUTE_MS).toISOString();

test("concurrent batches in any order are all recorded", { tags: "deep" }, async () => {
  const minutes = Array.from({ length: 60 }, (_, place) => (place * 37) % 60);
  await Promise.all(minutes.map((minute) => add(batchAt(minute), `batch${minute}`, 10)));
  expect((await statistics())?.heartrate).toMatchObject({
    oldest_data: NOW,
    newest_data: instant(59),
    sent_count: 60,
  });
  expect((await deliveredData.takeBytes(scope, user)).bytes).toBe(600);
});

test("a repeated batch is recorded once, and so is one with many resources", async () => {
  const names = [
    "heartrate",
    "steps",
    "hrv",
    "glucose",
    "floors_climbed",
    "uv_exposure",
    "water",
    "distance",
    "caffeine",
    "vo2_max",
  ];
  for (const name of ["a", "b", "a", "b"]) await add(batchAt(name === "a" ? 0 : 5, names), name, 7);
  const found = await statistics();
  expect(Object.keys(found ?? {})).toHaveLength(names.length);
  for (const one of Object.values(found ?? {}))
    expect(one).toMatchObject({ oldest_data: NOW, newest_data: instant(5), sent_count: 2 });
  expect((await deliveredData.takeBytes(scope, user)).bytes).toBe(14);
});

test("an older batch moves the oldest instant alone, and an item names few batches", async () => {
  for (let minute = 0; minute < 40; minute++) await add(batchAt(minute), `batch${String(minute).padStart(2, "0")}`);
  await add(batchAt(-5), "batch99");
  expect((await statistics())?.heartrate).toMatchObject({
    oldest_data: instant(-5),
    newest_data: instant(39),
    sent_count: 41,
  });
  const [{ batches } = { batches: new Set() }] = await deliveredData.list(scope, user);
  expect(batches.size).toBeLessThanOrEqual(24);
  expect(batches).toContain("batch99");
});

test("records without a time have no times, and devices and streams count too", async () => {
  const startMs = Date.parse(NOW);
  const batch = {
    ...batchAt(0),
    summaries: { profile: [{ key: "", fields: {} }], devices: [{ key: "d", fields: {} }] },
    streams: { workout_stream: [{ startMs }, { startMs: startMs + MINUTE_MS }], sleep_stream: [{ startMs }] },
  } as unknown as SampleBatch;
  await add(batch, "a");
  const undated = { oldest_data: null, newest_data: null, sent_count: 1 };
  expect(await statistics()).toMatchObject({
    heartrate: { sent_count: 1 },
    profile: undated,
    device: undated,
    workout_stream: { oldest_data: NOW, newest_data: instant(1), sent_count: 2 },
    sleep_stream: { oldest_data: NOW, newest_data: NOW, sent_count: 1 },
  });
  expect(Object.keys(batchRanges(batch)).toSorted()).toEqual(["heartrate", "profile"]);
});

test("the history of records without a time has the range of its pull", () => {
  const pull = { start_date: instant(-60), end_date: instant(0) };
  const dated = { start_date: instant(-30), end_date: instant(-20) };
  const undated = { start_date: "1970-01-01T00:00:00.000Z", end_date: "1970-01-01T00:00:00.000Z" };
  expect(fillUndated({ sleep: dated, profile: undated }, pull)).toEqual({ sleep: dated, profile: pull });
});
