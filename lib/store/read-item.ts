import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { batchGet } from "./batch-get.ts";
import type { Item, Key } from "./item.ts";

/**
 * One read of a batch: a store builds it and {@link batchRead} runs it. `of` parses the items stored under `keys`.
 */
export interface ReadItem<T> {
  readonly table: string;
  readonly keys: readonly Key[];
  readonly parse: (items: readonly (Item | undefined)[]) => T;
}

type Read<Items extends readonly ReadItem<unknown>[]> = {
  readonly [Place in keyof Items]: Items[Place] extends ReadItem<infer T> ? T : never;
};

/** Returns a unique name of a key across tables. */
const nameOf = (table: string, { pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([table, pk, sk]);

/**
 * Runs reads of several stores with one request for each table. Each item is strongly consistent; the items are not a
 * snapshot of one instant.
 */
export async function batchRead<const Items extends readonly ReadItem<unknown>[]>(
  documents: DynamoDBDocumentClient,
  items: Items,
): Promise<Read<Items>> {
  const found = new Map<string, Item>();
  const tables = Map.groupBy(items, ({ table }) => table);
  const reading = [...tables].map(async ([table, ofTable]) => {
    const keys = new Map(ofTable.flatMap((one) => one.keys).map((key) => [nameOf(table, key), key]));
    for await (const item of batchGet(documents, table, [...keys.values()])) found.set(nameOf(table, item), item);
  });
  await Promise.all(reading);
  const read = items.map(({ table, keys, parse }) => parse(keys.map((key) => found.get(nameOf(table, key)))));
  return read as Read<Items>;
}
