import { putEvents, putItem, updateItem } from "../../contract/access.ts";
import { bus, newestEvents, outbox } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { mayReplace } from "../../events/catalogue/replaced-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import { isoNow } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { BatchCounts } from "../../store/events/outbox-items.ts";
import { type AppendToFeedDependencies, appendInTransaction, appendToFeedAccess } from "./append-to-feed.ts";

/** Dependencies of {@link publishAndSequence}. */
export type RelayEventsDependencies = AppendToFeedDependencies & Dependencies<"bus" | "newestEvents" | "outbox">;

/** Grants of {@link publishAndSequence}. */
export const relayEventsAccess = [
  putEvents(bus),
  putItem(newestEvents),
  updateItem(outbox),
  ...appendToFeedAccess,
] as const;

/**
 * Maximum events of one transaction. It takes 100 items: the tail, a page, two counts of the day, and the update of
 * each event.
 */
const MAX_EVENTS_PER_TRANSACTION = 96;

/** Returns what an event of a batch adds to the usage of its team. */
type CountsOf = (event: EventReference) => BatchCounts | undefined;

/**
 * Records the newest events, publishes all to the bus, then appends them to the feeds of their teams. In this order a
 * crash in between publishes an event twice, which bus consumers expect, and never leaves a sequenced event
 * unpublished. From the first delivery of an event on, its consumers send no earlier one.
 * @returns the events to relay again, with their errors.
 */
export async function publishAndSequence(
  references: readonly EventReference[],
  deps: RelayEventsDependencies,
  countsOf: CountsOf = () => undefined,
) {
  const failed = await recordNewest(references, deps);
  const recorded = references.filter((event) => !failed.has(event));
  const { accepted, refused } = await deps.bus.publish(recorded);
  for (const [event, error] of refused) failed.set(event, error);
  for (const [teamId, events] of Map.groupBy(accepted, ({ team_id }) => team_id)) {
    try {
      await sequenceEvents(teamId, uniqueEvents(events), deps, countsOf);
    } catch (error) {
      for (const event of events) failed.set(event, error);
    }
  }
  return failed;
}

/** Records each event that replaces earlier ones. @returns the events that could not be recorded, with their errors. */
async function recordNewest(
  references: readonly EventReference[],
  { newestEvents }: RelayEventsDependencies,
): Promise<Map<EventReference, unknown>> {
  const failed = new Map<EventReference, unknown>();
  const now = isoNow();
  const newer = references.filter(mayReplace);
  await inParallel(newer, (event) => newestEvents.recordNewest(event, now).catch((error) => failed.set(event, error)));
  return failed;
}

/** Removes duplicates: a DynamoDB transaction must not name an item twice. */
const uniqueEvents = (events: readonly EventReference[]) => [
  ...new Map(events.map((event) => [`${event.user_id}#${event.event_id}`, event])).values(),
];

async function sequenceEvents(
  teamId: string,
  events: readonly EventReference[],
  deps: RelayEventsDependencies,
  countsOf: CountsOf,
): Promise<void> {
  for (let first = 0; first < events.length; first += MAX_EVENTS_PER_TRANSACTION) {
    await appendUnlisted(teamId, events.slice(first, first + MAX_EVENTS_PER_TRANSACTION), deps, countsOf);
  }
}

/** Appends the events without a sequence. One conditional transaction assigns all their sequences. */
async function appendUnlisted(
  teamId: string,
  events: readonly EventReference[],
  deps: RelayEventsDependencies,
  countsOf: CountsOf,
): Promise<void> {
  let unlisted = events;
  while (unlisted.length > 0) {
    const some = unlisted;
    try {
      const marks = (first: number, nowMs: number) => deps.outbox.assignSequenceItems(some, first, nowMs);
      await appendInTransaction({ teamId, events: some, counts: sumCounts(some.map(countsOf)) }, marks, deps);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      unlisted = some.filter((_, index) => !error.items.has(index));
      if (unlisted.length === some.length) throw error;
    }
  }
}

function sumCounts(all: readonly (BatchCounts | undefined)[]): BatchCounts {
  const total = { samples: 0, bytes: 0 };
  for (const { samples, bytes } of all.flatMap((counts) => counts ?? [])) {
    total.samples += samples;
    total.bytes += bytes;
  }
  return total;
}
