import { type DayCounts, sortDates, utcDate } from "../../domain/usage/usage-day.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { type ItemUpdate, NOT_EXISTS } from "../table.ts";
import type { WriteItem } from "../transaction.ts";
import { type FeedTail, pageKey, type StoredEntry, tailKey, tailPage } from "./feed-items.ts";
import type { BatchCounts } from "./outbox-items.ts";

/**
 * Entries of a full tail. The next events move them to a page. The tail stays below one kilobyte, so that appending an
 * event writes one unit.
 */
const MAX_TAIL_ENTRIES = 8;
/**
 * Age of the first entry of a full tail. A page expires 30 days after its last entry, and events a week later, so no
 * event expires before its page: an erasure finds the pages of a user by the user's events.
 */
const MAX_TAIL_AGE_S = 24 * 60 * 60;

/** Events to append to the feed of their team, and what they add to the usage of the day. */
export interface FeedAddition {
  readonly teamId: string;
  readonly events: readonly EventReference[];
  readonly counts?: BatchCounts | undefined;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

const toEntries = ({ events, nowMs }: FeedAddition): StoredEntry[] =>
  events.map(({ event_id, user_id }) => ({ event_id, user_id, at: Math.floor(nowMs / 1000) }));

const updatedAttributes = [
  ...["last", "end", "revision", "entries", "since"],
  ...["events", "samples", "bytes", "counted_on"],
];

/** Builds the update that appends to a tail with room, in one unit and without a read. Fails for any other tail. */
export function appendUpdate(addition: FeedAddition): ItemUpdate {
  const { events, counts, nowMs } = addition;
  return {
    UpdateExpression:
      "SET #last = #last + :count, #end = #end + :count, #revision = #revision + :one, " +
      "#entries = list_append(#entries, :entries) ADD #events :count, #samples :samples, #bytes :bytes",
    ConditionExpression: "#end = #last AND #counted_on = :today AND size(#entries) < :most AND #since > :oldest",
    ExpressionAttributeNames: Object.fromEntries(updatedAttributes.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":count": events.length,
      ":one": 1,
      ":entries": toEntries(addition),
      ":samples": counts?.samples ?? 0,
      ":bytes": counts?.bytes ?? 0,
      ":today": utcDate(nowMs),
      ":most": MAX_TAIL_ENTRIES,
      ":oldest": Math.floor(nowMs / 1000) - MAX_TAIL_AGE_S,
    },
  };
}

/** The writes that append to a tail that was read. */
export interface FeedWrites {
  /** First sequence of the appended events. */
  readonly first: number;
  /** Writes of the feed; the first one fails if the tail has changed. */
  readonly items: readonly WriteItem[];
  /** Counts of an earlier day, which the same transaction adds to the usage of the team. */
  readonly counted: DayCounts | undefined;
}

/** Builds the writes that append to a tail, for one transaction. They move the entries of a full tail to a page. */
export function appendItems(TableName: string, tail: FeedTail, addition: FeedAddition): FeedWrites {
  const { teamId, events, counts, nowMs } = addition;
  // A clock that is behind opens no earlier day again: readers see by the day whether counts have moved meanwhile.
  const [, day] = sortDates(tail.counted_on ?? "", utcDate(nowMs));
  const nowS = Math.floor(nowMs / 1000);
  const isYoung = tail.since > nowS - MAX_TAIL_AGE_S;
  const isContinued = tail.end === tail.last && tail.entries.length < MAX_TAIL_ENTRIES && isYoung;
  const isSameDay = tail.counted_on === undefined || tail.counted_on === day;
  const before = isSameDay ? tail : { events: 0, samples: 0, bytes: 0 };
  const last = tail.last + events.length;
  const Item = {
    ...tailKey(teamId),
    last,
    end: last,
    entries: [...(isContinued ? tail.entries : []), ...toEntries(addition)],
    since: isContinued ? tail.since : nowS,
    counted_on: day,
    events: before.events + events.length,
    samples: before.samples + (counts?.samples ?? 0),
    bytes: before.bytes + (counts?.bytes ?? 0),
    revision: tail.revision + 1,
  };
  const page = isContinued ? undefined : tailPage(tail);
  const spilled = page && { ...pageKey(teamId, page.first + page.entries.length - 1), ...page };
  return {
    first: tail.last + 1,
    items: [
      { Put: { TableName, Item, ...unchanged(tail) } },
      ...(spilled ? [{ Put: { TableName, Item: spilled, ConditionExpression: NOT_EXISTS } }] : []),
    ],
    counted: isSameDay ? undefined : toDayCounts(tail),
  };
}

/** Returns the counts of a tail that the usage table does not have yet. */
export function toDayCounts({ counted_on: date, events, samples, bytes }: FeedTail): DayCounts | undefined {
  return date === undefined ? undefined : { date, events, samples, bytes };
}

/** Condition on an unchanged tail, also of the version that stored `last` only. */
function unchanged({ last, revision }: FeedTail) {
  if (last === 0 && revision === 0) return { ConditionExpression: NOT_EXISTS };
  const isSame = revision === 0 ? "attribute_not_exists(#revision)" : "#revision = :revision";
  return {
    ConditionExpression: `#last = :last AND ${isSame}`,
    ExpressionAttributeNames: { "#last": "last", "#revision": "revision" },
    ExpressionAttributeValues: { ":last": last, ...(revision === 0 ? {} : { ":revision": revision }) },
  };
}
