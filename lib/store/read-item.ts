import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { batchGet } from "./batch-get.ts";
import type { Item, Key } from "./table.ts";

/** One element of a reading, made by a store and run by {@link readTogether}; `of` parses what is stored under `keys`. */
export interface ReadItem<T> {
  readonly table: string;
  readonly keys: readonly Key[];
  readonly of: (items: readonly (Item | undefined)[]) => T;
}

type Read<Items extends readonly ReadItem<unknown>[]> = {
  readonly [Place in keyof Items]: Items[Place] extends ReadItem<infer T> ? T : never;
};

/** What names a key among those of all tables. */
const nameOf = (table: string, { pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([table, pk, sk]);

/**
 * Reads what several stores are asked for at once, by one request for each table; each item strongly consistent, not all
 * as of one instant.
 */
export async function readTogether<const Items extends readonly ReadItem<unknown>[]>(
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
  const read = items.map(({ table, keys, of }) => of(keys.map((key) => found.get(nameOf(table, key)))));
  return read as Read<Items>;
}
