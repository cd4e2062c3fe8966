import type { EventFeedStore } from "../../store/events/event-feed.ts";
import { type ErasableItem, UNKNOWN_SEQUENCE } from "../../store/events/outbox-items.ts";
import type { ReceiptStore } from "../../store/ingest/receipts.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { appendingTime } from "./appending-time.ts";

interface RemoveFromFeedDependencies {
  readonly eventFeed: Pick<EventFeedStore, "removeUser" | "findSequences">;
  readonly receipts: Pick<ReceiptStore, "getSequences">;
}

/**
 * Removes a user from the feed entries of some of its events. The relay records the sequence of an event with it, a
 * batch with its receipt. A batch that broke off in between left its events in the feed of the time when it ran.
 */
export async function removeFromFeed(
  { eventFeed, receipts }: RemoveFromFeedDependencies,
  scope: TeamScope,
  userId: string,
  events: readonly ErasableItem[],
): Promise<void> {
  const known = await receipts.getSequences(scope, userId);
  const sequences = new Set<number>();
  for (const { sk: event_id, sequence, created_at } of events) {
    const listed = sequence === UNKNOWN_SEQUENCE ? known.get(event_id) : sequence;
    if (listed !== undefined) sequences.add(listed);
    else if (sequence === UNKNOWN_SEQUENCE && created_at !== undefined) {
      const found = await eventFeed.findSequences(scope, [{ event_id }], appendingTime(Date.parse(created_at)));
      for (const one of found.values()) sequences.add(one);
    }
  }
  await eventFeed.removeUser(scope, userId, [...sequences]);
}
