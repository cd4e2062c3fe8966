import type { Item, Key } from "../../../lib/store/item.ts";

/** The parameters of a query of this index. */
interface EndpointQuery {
  readonly ExpressionAttributeValues?: Record<string, unknown>;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
}

/** The index of the deliveries of an endpoint by their planning time. Neither ever changes. It has keys only. */
export class EndpointIndex {
  readonly #items = new Map<string, (Item & Key)[]>();

  add(item: Item & Key): void {
    const { pk, sk, of_endpoint, planned_at } = item;
    if (typeof of_endpoint !== "string") return;
    const entries = this.#items.get(of_endpoint) ?? [];
    entries.push({ pk, sk, of_endpoint, planned_at });
    this.#items.set(of_endpoint, entries);
  }

  /** Returns the first page of a range, in the order of planning time. */
  page({ ExpressionAttributeValues: values = {}, ScanIndexForward, Limit }: EndpointQuery) {
    const [since, until] = [String(values[":since"]), String(values[":until"])];
    const ofEndpoint = this.#items.get(String(values[":endpoint"])) ?? [];
    const found = ofEndpoint.filter(({ planned_at: at }) => String(at) >= since && String(at) <= until);
    const sorted = found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    const items = (ScanIndexForward === false ? sorted.reverse() : sorted).slice(0, Limit);
    return { items, hasMore: items.length < found.length };
  }
}

const orderOf = ({ planned_at, pk, sk }: Item & Key) => `${planned_at} ${pk} ${sk}`;
