import type { Item, Key } from "./item.ts";

/** One read of several that run together: a store builds it. `parse` reads the items stored under `keys`. */
export interface ReadItem<T> {
  readonly table: string;
  readonly keys: readonly Key[];
  readonly parse: (items: readonly (Item | undefined)[]) => T;
}
