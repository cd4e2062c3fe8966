import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { batchGet } from "./batch-get.ts";
import type { Item } from "./item.ts";
import type { ReadItem } from "./read-item.ts";

type Read<Items extends readonly ReadItem<unknown>[]> = {
  readonly [Place in keyof Items]: Items[Place] extends ReadItem<infer T> ? T : never;
};

/** Returns a unique name of a key across tables. */
const nameOf = (table: string, { pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([table, pk, sk]);

/** Items by the name of their key across tables. */
type FoundItems = ReadonlyMap<string, Item>;

/** Reads each key of the reads once, with one request for each table. */
async function readOnce(documents: DynamoDBDocumentClient, items: readonly ReadItem<unknown>[]): Promise<FoundItems> {
  const found = new Map<string, Item>();
  const tables = Map.groupBy(items, ({ table }) => table);
  const reading = [...tables].map(async ([table, ofTable]) => {
    const keys = new Map(ofTable.flatMap((one) => one.keys).map((key) => [nameOf(table, key), key]));
    for await (const item of batchGet(documents, table, [...keys.values()])) found.set(nameOf(table, item), item);
  });
  await Promise.all(reading);
  return found;
}

const parseEach = <Items extends readonly ReadItem<unknown>[]>(items: Items, found: FoundItems) =>
  items.map(({ table, keys, parse }) => parse(keys.map((key) => found.get(nameOf(table, key))))) as Read<Items>;

/** Runs the reads of concurrent work together, such as those of the messages of one invocation. */
export class ReadCollector {
  readonly #documents: () => DynamoDBDocumentClient;
  #waiting: { readonly items: ReadItem<unknown>[]; readonly found: Promise<FoundItems> } | undefined;

  constructor(documents: () => DynamoDBDocumentClient) {
    this.#documents = documents;
  }

  /**
   * Answers each read in its position. Reads of the same event loop turn share one request for each table, and read an
   * item that several of them need once. All begin after the last of them was requested. Each item is strongly
   * consistent; the items are not a snapshot of one instant.
   */
  async read<const Items extends readonly ReadItem<unknown>[]>(items: Items): Promise<Read<Items>> {
    this.#waiting ??= this.#collect();
    this.#waiting.items.push(...items);
    return parseEach(items, await this.#waiting.found);
  }

  #collect() {
    const items: ReadItem<unknown>[] = [];
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#waiting = undefined;
      return readOnce(this.#documents(), items);
    });
    return { items, found };
  }
}
