import { setTimeout as sleep } from "node:timers/promises";
import type { EventReference } from "../events/envelope.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import { type EventFeedStore, MOST_EVENTS_PER_PAGE } from "../store/event-feed.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UsageStore } from "../store/usage.ts";
import type { EventBus } from "./event-bus.ts";
import { chance, ports } from "./ports.ts";

interface RelayUses {
  readonly bus: EventBus;
  readonly eventFeed: EventFeedStore;
  readonly outbox: OutboxStore;
  readonly usage: UsageStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Maximum attempts to append a page while others append to the same feed. */
const ATTEMPTS = 20;
/** Maximum pause after the first attempt, ms. Grows by the same amount with each attempt. */
const PAUSE_MS = 20;

/**
 * Publishes events to the bus, then appends them to the feeds of their teams. In this order a crash in between
 * publishes an event twice, which bus consumers expect, and never leaves a sequenced event unpublished.
 * @returns the events to relay again, with their errors.
 */
export async function relay(references: readonly EventReference[], uses: RelayUses) {
  const { taken, refused } = await uses.bus.publish(references);
  const failed = new Map(refused);
  for (const [teamId, events] of Map.groupBy(taken, ({ team_id }) => team_id)) {
    try {
      await list(teamId, unique(events), uses);
    } catch (error) {
      for (const event of events) failed.set(event, error);
    }
  }
  return failed;
}

/** Removes duplicates: a DynamoDB transaction must not name an item twice. */
const unique = (events: readonly EventReference[]) => [
  ...new Map(events.map((event) => [`${event.user_id}#${event.event_id}`, event])).values(),
];

async function list(teamId: string, events: readonly EventReference[], uses: RelayUses): Promise<void> {
  for (let first = 0; first < events.length; first += MOST_EVENTS_PER_PAGE) {
    await listPage(teamId, events.slice(first, first + MOST_EVENTS_PER_PAGE), uses);
  }
}

/** Appends the events that are in no page yet. One conditional transaction assigns all their sequence numbers. */
async function listPage(teamId: string, events: readonly EventReference[], uses: RelayUses): Promise<void> {
  const { eventFeed, outbox, usage, commit } = uses;
  let unlisted = events;
  for (let attempt = 1; unlisted.length > 0; attempt++) {
    const page = { teamId, after: await eventFeed.last(teamId), events: unlisted };
    const now = ports().clock.now();
    const [counter, item] = eventFeed.appendItems(page, now);
    const marks = outbox.sequenceItems(page, now);
    try {
      await commit([...marks, counter, item, usage.eventsItem(teamId, unlisted.length, now)]);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
      unlisted = unlisted.filter((_, index) => !error.items.has(index));
      if (error.items.has(marks.length)) await sleep(PAUSE_MS * attempt * chance());
    }
  }
}
