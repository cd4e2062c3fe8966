import { deliveries } from "../../../lib/contract/resources.ts";
import type { Item } from "../../../lib/store/item.ts";

/** Place of an item in the index: its sort key, made unique by its primary key. */
const placeOf = ({ due_at, pk, sk }: Item): string => `${due_at}\n${pk}\n${sk}`;

/** One partition of an index: its items by sort key. */
class IndexPartition {
  readonly #places: string[] = [];
  readonly #items = new Map<string, Item>();

  add(item: Item): void {
    const place = placeOf(item);
    if (!this.#items.has(place)) this.#places.splice(this.#find(place), 0, place);
    this.#items.set(place, item);
  }

  remove(item: Item): void {
    const place = placeOf(item);
    if (this.#items.delete(place)) this.#places.splice(this.#find(place), 1);
  }

  /** Returns up to `limit` items after a start key, and whether more follow. */
  page(after: Item | undefined, limit: number): { items: Item[]; hasMore: boolean } {
    const first = after === undefined ? 0 : this.#find(`${placeOf(after)}\n`);
    const places = this.#places.slice(first, first + limit);
    return {
      items: places.map((place) => this.#items.get(place) ?? {}),
      hasMore: first + limit < this.#places.length,
    };
  }

  /** Returns the first position whose place is not below the given one. */
  #find(place: string): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#places[middle] ?? "") < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isOpenDelivery = ({ due_shard }: Item): boolean => String(due_shard ?? "").startsWith(deliveries.keyPrefix);

/** The index `due`: items with `due_shard`, by `due_at`. */
export class DueIndex {
  readonly #partitions = new Map<string, IndexPartition>();
  /** Number of deliveries in the index: those that have not ended. */
  openDeliveries = 0;

  /** Replaces an item of the index. */
  replace(old: Item | undefined, next: Item): void {
    if (typeof old?.due_shard === "string") this.#partition(old.due_shard).remove(old);
    if (typeof next.due_shard === "string") this.#partition(next.due_shard).add(next);
    this.openDeliveries += Number(isOpenDelivery(next)) - Number(isOpenDelivery(old ?? {}));
  }

  page(shard: string, after: Item | undefined, limit: number) {
    return this.#partition(shard).page(after, limit);
  }

  #partition(shard: string): IndexPartition {
    const found = this.#partitions.get(shard) ?? new IndexPartition();
    this.#partitions.set(shard, found);
    return found;
  }
}
