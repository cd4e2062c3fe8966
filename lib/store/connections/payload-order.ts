import type { StoredPayload } from "../../domain/connections/raw-payloads/raw-payload.ts";
import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { receiptInstant } from "../ingest/receipt-id.ts";
import type { Item } from "../item.ts";
import type { Page } from "../table.ts";

/** Longest time from the start of a pull to the receipt of its last payload. No function runs longer. */
export const MAX_PULL_MS = 15 * MINUTE_MS;
/**
 * Queries of one page. Together they read more payloads than a user can have within {@link MAX_PULL_MS}: those of two
 * days. So each page gets further.
 */
const MAX_READS = 12;
/** Payloads of one query. */
export const PAYLOADS_PER_READ = 500;

/** A place in the order of receipt: the time of receipt, ISO 8601, and the id of a payload. */
export type PayloadPlace = readonly [receivedAt: string, id: string];

const placeOf = ({ received_at, payload_id }: StoredPayload): PayloadPlace => [received_at, payload_id];
const isBefore = ([at, id]: PayloadPlace, [otherAt, otherId]: PayloadPlace) =>
  at < otherAt || (at === otherAt && id < otherId);

/**
 * Reads one page of payloads in the order of their receipt, newest first. Keys have the order of the pulls, and pulls
 * overlap. So the queries read on while an unread payload may belong to the page.
 * @param read one query in the order of the keys, newest first.
 * @param after the last place of the page before.
 */
export async function readNewestPayloads(
  read: (start: Item | undefined) => Promise<Page<StoredPayload>>,
  after: PayloadPlace | undefined,
  limit: number,
): Promise<{ items: StoredPayload[]; last: PayloadPlace | undefined }> {
  const found: StoredPayload[] = [];
  let horizon: PayloadPlace | undefined;
  let ready: StoredPayload[] = [];
  let start: Item | undefined;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { items, lastKey } = await read(start);
    found.push(...items.filter((item) => !after || isBefore(placeOf(item), after)));
    horizon = lastKey && [new Date(receiptInstant(String(lastKey.sk)) + MAX_PULL_MS).toISOString(), "~"];
    const isReady = (item: StoredPayload) => !horizon || isBefore(horizon, placeOf(item));
    ready = found.filter(isReady);
    start = lastKey;
    if (!lastKey || ready.length >= limit) break;
  }
  const items = ready.toSorted((one, other) => (isBefore(placeOf(one), placeOf(other)) ? 1 : -1)).slice(0, limit);
  const lastItem = items.at(-1);
  if (items.length < limit || !lastItem) return { items, last: horizon };
  return { items, last: items.length < found.length || horizon ? placeOf(lastItem) : undefined };
}
