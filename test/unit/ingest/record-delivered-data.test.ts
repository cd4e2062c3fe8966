import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deliveredData as entity, eventTable } from "../../../lib/contract/resources.ts";
import { toWireResources } from "../../../lib/domain/connections/pulls/wire-introspection.ts";
import type { SampleBatch } from "../../../lib/domain/ingest/batch.ts";
import { recordDeliveredData } from "../../../lib/services/ingest/record-delivered-data.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { DeliveredDataStore } from "../../../lib/store/connections/delivered-data.ts";
import { createReceiptId, ReceiptStore } from "../../../lib/store/ingest/receipts.ts";
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

const begin = (id: string) => receipts.open(scope, user, id, [], NOW);
const statusOf = async (id: string) => (await receipts.get(scope, user, id))?.status;

test("a receipt stays pending when another condition of its transaction fails", async () => {
  const id = createReceiptId(0, "00");
  await begin(id);
  const elsewhere: WriteItem = {
    Put: {
      TableName: eventTable.name,
      Item: { pk: "other", sk: "other" },
      ConditionExpression: "attribute_exists(pk)",
    },
  };
  const finishing = receipts.close(scope, user, id, outcome, [], NOW, (close) => write([close, elsewhere]));
  await expect(finishing).rejects.toThrow(ConditionFailed);
  expect(await statusOf(id)).toBe("pending");
});

test("concurrent batches of a user are all recorded, and all receipts are closed", async () => {
  const ids = Array.from({ length: 60 }, (_, place) => createReceiptId(place, place.toString(16).padStart(2, "0")));
  await Promise.all(ids.map(begin));
  const close = async (receiptId: string, place: number) => {
    const start = Date.parse(NOW) + place * MINUTE_MS;
    const batch = { provider: "oura", samples: { heartrate: [{ start, value: 60 }] }, summaries: {} };
    await receipts.close(scope, user, receiptId, outcome, [], NOW, (closing) =>
      recordDeliveredData(
        { deliveredData, commit: write },
        { scope, userId: user, receiptId, batch: batch as unknown as SampleBatch },
        [closing],
      ),
    );
  };
  await Promise.all(ids.map(close));
  expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(["done"]));
  const delivered = await deliveredData.list(scope, user);
  expect(toWireResources({ polls: [], histories: [], delivered }).oura?.heartrate).toMatchObject({
    oldest_data: NOW,
    newest_data: new Date(Date.parse(NOW) + 59 * MINUTE_MS).toISOString(),
    sent_count: 60,
  });
});
