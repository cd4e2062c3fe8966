import { setTimeout as sleep } from "node:timers/promises";
import { BatchWriteCommand, type BatchWriteCommandInput, type BatchWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { Item, Key } from "../../store/item.ts";
import type { Table } from "../../store/table.ts";

/** Maximum puts of one request (DynamoDB API reference, "BatchWriteItem"). */
const MAX_PUTS = 25;
/** Longest pause before what DynamoDB did not take is sent again. */
const MAX_PAUSE_MS = 5_000;

/** Writes items of different keys. A repetition changes nothing. */
export async function putItems(table: Table, items: readonly (Item & Key)[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / MAX_PUTS) }, (_, place) =>
    items.slice(place * MAX_PUTS, (place + 1) * MAX_PUTS),
  );
  await inParallel(batches, (batch) => putBatch(table, batch));
}

async function putBatch({ documents, name }: Table, items: readonly Item[]): Promise<void> {
  let requests: BatchWriteCommandInput["RequestItems"] = { [name]: items.map((Item) => ({ PutRequest: { Item } })) };
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const answer: BatchWriteCommandOutput = await documents.send(new BatchWriteCommand({ RequestItems: requests }));
    const { UnprocessedItems = {} } = answer;
    if (Object.keys(UnprocessedItems).length === 0) return;
    requests = UnprocessedItems;
    await sleep(pauseMs);
  }
}
