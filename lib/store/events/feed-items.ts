import * as z from "zod";
import { eventFeed } from "../../contract/resources.ts";
import type { Key } from "../item.ts";

/** Retention of the feed. */
export const FEED_RETENTION_S = 30 * 24 * 60 * 60;
/** Digits of the largest safe integer, so that sequences sort as text. */
const SEQUENCE_DIGITS = 16;

/** An event in the feed. Versions before the tail stored no `at` in their pages. */
const storedEntry = z.object({
  event_id: z.string(),
  /** Empty for an event of the team alone; absent once its user is erased. */
  user_id: z.string().optional(),
  /** When the event was appended, epoch seconds. */
  at: z.number().optional(),
});
export type StoredEntry = z.output<typeof storedEntry>;

/** Events `first`, `first + 1` and so on of a team. Pages are complete when written. */
export const pageItem = z.object({ first: z.number().int(), entries: z.array(storedEntry), expires_at: z.number() });
export type FeedPage = z.output<typeof pageItem>;

/**
 * The end of a feed: the events after the last page, and the counts of one day that the usage table does not have yet.
 * An item of the version before the tail has `last` only.
 */
export const tailItem = z.object({
  /** Sequence of the newest event. */
  last: z.number().int(),
  /** Sequence of the newest entry. Differs from `last` after a version without the tail has appended a page. */
  end: z.number().int().optional(),
  entries: z.array(storedEntry).default([]),
  /** When the first entry was appended, epoch seconds. */
  since: z.number().default(0),
  /** The day (UTC) of the counts. */
  counted_on: z.string().optional(),
  events: z.number().int().default(0),
  samples: z.number().int().default(0),
  bytes: z.number().int().default(0),
  /** Number of changes, for optimistic concurrency. */
  revision: z.number().int().default(0),
});
export type FeedTail = z.output<typeof tailItem>;

/** The tail of a feed without events. */
export const emptyTail: FeedTail = tailItem.parse({ last: 0 });

export const tailKey = (teamId: string): Key => ({ pk: `${eventFeed.keyPrefix}last#${teamId}`, sk: "last" });

/**
 * The key of a page is its last sequence, so the first page with a key of at least `after + 1` contains the next event.
 */
export const pageKey = (teamId: string, last: number): Key => ({
  pk: `${eventFeed.keyPrefix}${teamId}`,
  sk: String(last).padStart(SEQUENCE_DIGITS, "0"),
});

/** Returns the entries of a tail as a page; undefined without entries. */
export function tailPage({ end = 0, entries }: FeedTail): FeedPage | undefined {
  const last = entries.at(-1);
  if (!last) return undefined;
  return { first: end - entries.length + 1, entries, expires_at: (last.at ?? 0) + FEED_RETENTION_S };
}

/** Returns the instant at which an entry of a page was appended, epoch seconds. */
export const appendedAtS = (page: FeedPage, entry: StoredEntry): number =>
  entry.at ?? page.expires_at - FEED_RETENTION_S;
