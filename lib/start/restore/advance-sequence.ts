import { eventFeed } from "../../contract/resources.ts";
import type { Item, Key } from "../../store/item.ts";

/**
 * Sequences that a restored feed leaves out. Receivers may know sequences that the copy lacks. A new event must not get
 * one of these, because a receiver that reads on from there would miss it.
 */
export const SEQUENCE_GAP = 1_000_000_000;

/** Returns the end of a feed with the next sequence after the gap; any other item unchanged. */
export function advanceSequence(item: Item & Key): Item & Key {
  if (!item.pk.startsWith(`${eventFeed.keyPrefix}last#`) || typeof item.last !== "number") return item;
  const revision = typeof item.revision === "number" ? item.revision : 0;
  // The end of the entries stays. Where it differs from the last sequence, the next event begins a page.
  return { ...item, end: item.end ?? item.last, last: item.last + SEQUENCE_GAP, revision: revision + 1 };
}
