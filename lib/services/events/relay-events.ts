import { setTimeout as sleep } from "node:timers/promises";
import { getItem, putEvents, putItem, updateItem } from "../../contract/access.ts";
import { bus, eventFeed, outbox, usage } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports, randomFraction } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import { MAX_EVENTS_PER_PAGE } from "../../store/events/event-feed.ts";

type RelayEventsDependencies = Dependencies<"bus" | "eventFeed" | "outbox" | "usage" | "commit">;

/** Grants of {@link publishAndSequence}. */
export const relayEventsAccess = [
  putEvents(bus),
  getItem(eventFeed),
  updateItem(eventFeed),
  putItem(eventFeed),
  updateItem(outbox),
  updateItem(usage),
] as const;

/** Maximum attempts to append a page while others append to the same feed. */
const MAX_APPEND_ATTEMPTS = 20;
/** Maximum pause after the first attempt, ms. Grows by the same amount with each attempt. */
const PAUSE_MS = 20;

/**
 * Publishes events to the bus, then appends them to the feeds of their teams. In this order a crash in between
 * publishes an event twice, which bus consumers expect, and never leaves a sequenced event unpublished.
 * @returns the events to relay again, with their errors.
 */
export async function publishAndSequence(references: readonly EventReference[], deps: RelayEventsDependencies) {
  const { accepted, refused } = await deps.bus.publish(references);
  const failed = new Map(refused);
  for (const [teamId, events] of Map.groupBy(accepted, ({ team_id }) => team_id)) {
    try {
      await appendToFeed(teamId, uniqueEvents(events), deps);
    } catch (error) {
      for (const event of events) failed.set(event, error);
    }
  }
  return failed;
}

/** Removes duplicates: a DynamoDB transaction must not name an item twice. */
const uniqueEvents = (events: readonly EventReference[]) => [
  ...new Map(events.map((event) => [`${event.user_id}#${event.event_id}`, event])).values(),
];

async function appendToFeed(
  teamId: string,
  events: readonly EventReference[],
  deps: RelayEventsDependencies,
): Promise<void> {
  for (let first = 0; first < events.length; first += MAX_EVENTS_PER_PAGE) {
    await appendFeedPage(teamId, events.slice(first, first + MAX_EVENTS_PER_PAGE), deps);
  }
}

/** Appends the events that are in no page yet. One conditional transaction assigns all their sequence numbers. */
async function appendFeedPage(
  teamId: string,
  events: readonly EventReference[],
  deps: RelayEventsDependencies,
): Promise<void> {
  const { eventFeed, outbox, usage, commit } = deps;
  let unlisted = events;
  for (let attempt = 1; unlisted.length > 0; attempt++) {
    const page = { teamId, after: await eventFeed.getLastSequence(teamId), events: unlisted };
    const now = ports().clock.now();
    const [counter, item] = eventFeed.appendItems(page, now);
    const marks = outbox.assignSequenceItems(page, now);
    try {
      await commit([...marks, counter, item, usage.addEventsItem(teamId, unlisted.length, now)]);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_APPEND_ATTEMPTS) throw error;
      unlisted = unlisted.filter((_, index) => !error.items.has(index));
      if (error.items.has(marks.length)) await sleep(PAUSE_MS * attempt * randomFraction());
    }
  }
}
