import { grants, partiqlInsert, putEvents, putItem, queryItems, updateItem } from "../../contract/access.ts";
import { bus, eventFeed, newestEvents, outbox } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { mayReplace } from "../../events/catalogue/replaced-events.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { BatchCounts } from "../../store/events/outbox-items.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type AppendToFeedDependencies, appendToFeed, appendToFeedAccess } from "./append-to-feed.ts";

/** Dependencies of {@link publishBatchEvents}. */
export type PublishBatchEventsDependencies = AppendToFeedDependencies & Dependencies<"bus" | "newestEvents" | "outbox">;

/** Grants of {@link publishBatchEvents}. */
export const publishBatchEventsAccess = grants(
  [putEvents(bus), putItem(newestEvents)],
  [partiqlInsert(outbox), putItem(outbox), updateItem(outbox), queryItems(outbox)],
  [...appendToFeedAccess, updateItem(eventFeed)],
);

/**
 * Maximum events that a batch appends to the feed. The end of the feed, and the receipt with the ids of all events and
 * of these, are items of at most 400 KB. The sweeper appends the others.
 */
const MAX_APPENDED_EVENTS = 2_000;

/** The batch of some events, and what it adds to the usage of its team. */
export interface EventfulBatch {
  readonly scope: TeamScope;
  readonly receiptId: string;
  /** Undefined if an event of an earlier run carries them. */
  readonly counts: BatchCounts | undefined;
}

/** The outcome of {@link publishBatchEvents}. */
export interface PublishedBatch {
  /** The events that this run appended to the feed, and the sequence of the first; undefined if it appended none. */
  readonly appended: { readonly first: number; readonly eventIds: readonly string[] } | undefined;
  /** Whether an event carries the counts of the batch to the usage of its team. */
  readonly isCounted: boolean;
}

/**
 * Stores, publishes and sequences the events of a batch. Its queue message is their outbox: the receipt stays pending
 * until all of this is done, so a crash repeats it. A repetition cannot know how far the first run came. It leaves the
 * events that exist to the sweeper, which looks for them in the feed first, once no earlier run can be alive any more.
 * The first event carries the counts of the batch. Whoever appends it to the feed counts them, once.
 */
export async function publishBatchEvents(
  events: readonly NewEvent[],
  batch: EventfulBatch,
  deps: PublishBatchEventsDependencies,
): Promise<PublishedBatch> {
  const { scope, receiptId, counts } = batch;
  const stored = await storeEvents(events, batch, deps);
  const isCounted = counts === undefined || (await carriesCounts(stored[0], batch, deps));
  const added = stored.filter(({ isNew }) => isNew).map(({ reference }) => reference);
  const { accepted, refused } = await deps.bus.publish(added);
  const own = accepted.slice(0, MAX_APPENDED_EVENTS);
  const left = [...refused.keys(), ...accepted.slice(MAX_APPENDED_EVENTS)];
  await inParallel(left, (reference) => deps.outbox.leaveToSweeper(reference, receiptId));
  if (own.length === 0) return { appended: undefined, isCounted };
  const hasFirst = own.some(({ event_id }) => event_id === events[0]?.reference.event_id);
  const addition = { teamId: scope.teamId, events: own, counts: hasFirst ? counts : undefined };
  const first = await appendToFeed(addition, deps);
  return { appended: { first, eventIds: own.map(({ event_id }) => event_id) }, isCounted };
}

/**
 * Leaves the events of a batch to the sweeper that an earlier run stored and did not finish. A repetition finds them
 * here, because it may compose fewer events: newer batches may have replaced samples of this one meanwhile.
 * @returns the counts that one of these events carries to the usage of the team; undefined if none does.
 */
export async function leaveUnfinishedEvents(
  { scope, userId, receiptId }: { readonly scope: TeamScope; readonly userId: string; readonly receiptId: string },
  { outbox }: PublishBatchEventsDependencies,
): Promise<BatchCounts | undefined> {
  let carried: BatchCounts | undefined;
  for await (const { reference, isUnfinished, counts } of outbox.listOfBatch(scope, userId, receiptId)) {
    carried ??= counts;
    if (isUnfinished) await outbox.leaveToSweeper(reference, receiptId);
  }
  return carried;
}

/** An event that this run or another one has stored. */
interface StoredEvent {
  readonly reference: EventReference;
  readonly isNew: boolean;
  /** Whether a run of the same batch stored it. */
  readonly isOwn: boolean;
}

/** Whether the first event carries the counts of its batch: another run may have stored it behind its own first one. */
async function carriesCounts(
  first: StoredEvent | undefined,
  { scope, receiptId }: EventfulBatch,
  { outbox }: PublishBatchEventsDependencies,
): Promise<boolean> {
  if (!first?.isOwn || first.isNew) return first?.isNew ?? false;
  const { user_id, event_id } = first.reference;
  for await (const { reference, counts } of outbox.listOfBatch(scope, user_id, receiptId))
    if (reference.event_id === event_id) return counts !== undefined;
  return false;
}

/** Stores the events in their order. An event that exists stays as it is. Two batches can record the same event. */
async function storeEvents(
  events: readonly NewEvent[],
  { receiptId, counts }: EventfulBatch,
  { newestEvents, outbox }: PublishBatchEventsDependencies,
): Promise<StoredEvent[]> {
  const now = isoNow();
  const newer = events.filter(({ reference }) => mayReplace(reference));
  await inParallel(newer, ({ reference }) => newestEvents.recordNewest(reference, now));
  return inParallel([...events.entries()], async ([place, event]) => {
    const { reference } = event;
    const origin = { receiptId, counts: place === 0 ? counts : undefined };
    const isNew = await outbox.appendOfBatch(event, origin, now);
    return { reference, isNew, isOwn: isNew || (await outbox.leaveToSweeper(reference, receiptId)) };
  });
}
