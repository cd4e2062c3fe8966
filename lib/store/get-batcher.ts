import type * as z from "zod";
import type { Key } from "./item.ts";
import type { Table } from "./table.ts";

interface PendingGet<T> {
  readonly key: Key;
  readonly done: PromiseWithResolvers<T | undefined>;
}

/**
 * Reads items of one table by their keys, strongly consistent. Concurrent reads share requests of up to 100 items, at
 * the price of single reads.
 */
export class GetBatcher<S extends z.ZodType<Key>> {
  readonly #table: Table;
  readonly #schema: S;
  #waiting = new Map<string, PendingGet<z.output<S>>>();

  constructor(table: Table, schema: S) {
    this.#table = table;
    this.#schema = schema;
  }

  /** Returns the parsed item with this key; undefined without one. */
  get(key: Key): Promise<z.output<S> | undefined> {
    const name = nameOf(key);
    // A batch request must not name a key twice.
    const known = this.#waiting.get(name);
    if (known) return known.done.promise;
    const done = Promise.withResolvers<z.output<S> | undefined>();
    this.#waiting.set(name, { key, done });
    // Collects the reads of the current event loop turn.
    if (this.#waiting.size === 1) setImmediate(() => void this.#flush());
    return done.promise;
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      const keys = [...waiting.values()].map(({ key }) => key);
      const items = await this.#table.getMany(keys, this.#schema);
      const found = new Map(items.map((item) => [nameOf(item), item]));
      for (const [name, { done }] of waiting) done.resolve(found.get(name));
    } catch (error) {
      for (const { done } of waiting.values()) done.reject(error);
    }
  }
}

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
