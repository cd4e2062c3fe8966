import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { directoryTable, eventTable, usageTable } from "../../../lib/contract/resources.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { DeliveredDataStore } from "../../../lib/store/connections/delivered-data.ts";
import { ReceiptStore } from "../../../lib/store/ingest/receipts.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { QuotaStore } from "../../../lib/store/usage/quotas.ts";
import { UsageStore } from "../../../lib/store/usage/usage.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = "2026-05-01T08:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const range = { first: "2026-05-01", last: "2026-05-02" };
const scope = TeamScope.grant("team");

let dynamodb: TestDynamodb;
let usage: UsageStore;
let receipts: ReceiptStore;
let quotas: QuotaStore;
let deliveredData: DeliveredDataStore;
const write = (items: readonly WriteItem[]) => commit(dynamodb.documents, items);
beforeAll(async () => {
  dynamodb = await startDynamodb();
  usage = new UsageStore(new Table(dynamodb.documents, usageTable.name));
  receipts = new ReceiptStore(new Table(dynamodb.documents, eventTable.name));
  deliveredData = new DeliveredDataStore(new Table(dynamodb.documents, directoryTable.name));
  quotas = new QuotaStore(new Table(dynamodb.documents, directoryTable.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

/** Closes a receipt with these samples and bytes, as storing a batch does. */
async function finish(userId: string, receiptId: string, samples: number, bytes: number): Promise<void> {
  const outcome = { stored: samples, updated: 0, unchanged: 0, event_ids: [] };
  await receipts.close(scope, userId, receiptId, { outcome, refused: [] }, NOW, (close) =>
    write([close, ...usage.addBatchItems(scope, { samples, bytes, spread: receiptId.length }, NOW_MS)]),
  );
  const delivered = { provider: "oura", batchId: receiptId, resources: {}, bytes };
  await deliveredData.addBatch(scope, userId, delivered);
}

async function total() {
  const counts = await usage.listDays(scope, range);
  const sum = (of: "samples" | "bytes") => counts.reduce((all, count) => all + (count[of] ?? 0), 0);
  return { samples: sum("samples"), bytes: sum("bytes") };
}

test("a batch counts once, even when it is consumed repeatedly or concurrently", async () => {
  await receipts.open(scope, "user", "receipt", [], NOW);
  await Promise.all([finish("user", "receipt", 5, 50), finish("user", "receipt", 5, 50)]);
  await finish("user", "receipt", 5, 50);
  expect(await total()).toEqual({ samples: 5, bytes: 50 });
});

test("concurrently stored batches are all counted", async () => {
  const ids = Array.from({ length: 12 }, (_, place) => "r".repeat(place + 1));
  await Promise.all(ids.map((id) => receipts.open(scope, `user ${id}`, id, [], NOW)));
  await Promise.all(ids.map((id) => finish(`user ${id}`, id, 2, 20)));
  expect(await total()).toEqual({ samples: 24, bytes: 240 });
});

test("the erasure of a user subtracts the user's stored data once", async () => {
  for (const [user, id] of [
    ["one", "a"],
    ["one", "bb"],
    ["another", "ccc"],
  ] as const) {
    await receipts.open(scope, user, id, [], NOW);
    await finish(user, id, 1, 100);
  }
  const erase = async () => usage.eraseUser(scope, "one", await deliveredData.takeBytes(scope, "one"), NOW_MS, write);
  expect([await erase(), await erase()]).toEqual([1, 0]);
  expect(await total()).toEqual({ samples: 3, bytes: 100 });
});

test("a range includes the storage level before it and no counts after it", async () => {
  await write(usage.addBatchItems(scope, { samples: 1, bytes: 10, spread: 0 }, NOW_MS - 86_400_000 * 40));
  await write(usage.addBatchItems(scope, { samples: 1, bytes: 10, spread: 1 }, NOW_MS + 86_400_000 * 2));
  await usage.addAttempt(scope, { outcome: "delivered", eventId: "0" }, NOW_MS + 86_400_000 * 2);
  expect(await usage.listDays(scope, range)).toEqual([{ date: "2026-03-22", samples: 1, bytes: 10 }]);
  expect(await usage.listDays(scope, { first: "2026-05-03", last: "2026-05-02" })).toEqual([]);
});

test("a quota admits up to its limit, and one more after a release", async () => {
  const take = (most: number) => write(quotas.reserveUserItems(scope, { shard: 0, max: most }));
  await take(2);
  await take(2);
  await expect(take(2)).rejects.toThrow(ConditionFailed);
  await write([quotas.releaseUserItem(scope, 0)]);
  await take(2);
  await expect(take(2)).rejects.toThrow(ConditionFailed);
  const first = write(quotas.reserveUserItems(scope, { shard: 1, max: 0 }));
  await expect(first).rejects.toThrow(ConditionFailed);
});

test("an organization has at most its limit of teams", async () => {
  const take = () => write([quotas.reserveTeamItem("org", 1)]);
  await take();
  await expect(take()).rejects.toThrow(ConditionFailed);
  await write([quotas.releaseTeamItem("org")]);
  await take();
});
