import type { BatchGetCommandInput, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
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

/** Reads what several stores are asked for by one request, each item strongly consistent; not all as of one instant. */
export async function readTogether<const Items extends readonly ReadItem<unknown>[]>(
  documents: DynamoDBDocumentClient,
  items: Items,
): Promise<Read<Items>> {
  const found = new Map<string, Item>();
  for await (const [table, item] of batchGet(documents, requestOf(items))) found.set(nameOf(table, item), item);
  const read = items.map(({ table, keys, of }) => of(keys.map((key) => found.get(nameOf(table, key)))));
  return read as Read<Items>;
}

function requestOf(items: readonly ReadItem<unknown>[]): NonNullable<BatchGetCommandInput["RequestItems"]> {
  const tables = Map.groupBy(items, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, ofTable]) => {
      const byName = new Map(ofTable.flatMap(({ keys }) => keys).map((key) => [nameOf(table, key), key]));
      return [table, { Keys: [...byName.values()].map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true }];
    }),
  );
}
