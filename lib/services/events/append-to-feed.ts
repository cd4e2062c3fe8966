import { setTimeout as sleep } from "node:timers/promises";
import { getItem, putItem, updateItem } from "../../contract/access.ts";
import { eventFeed, usage } from "../../contract/resources.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports, randomFraction } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { FeedAddition } from "../../store/events/feed-append.ts";
import type { WriteItem } from "../../store/transaction.ts";

/** Dependencies of appending to a feed. */
export type AppendToFeedDependencies = Dependencies<"eventFeed" | "usage" | "commit">;

/** Grants of {@link appendInTransaction}. */
export const appendToFeedAccess = [getItem(eventFeed), putItem(eventFeed), updateItem(usage)] as const;

/** Maximum attempts to append while others append to the same feed. */
const MAX_APPEND_ATTEMPTS = 20;
/** Maximum pause after the first attempt, ms. Grows by the same amount with each attempt. */
const PAUSE_MS = 20;

/**
 * Appends events to the feed of their team in one transaction with other writes.
 * @param others builds these writes from the sequence of the first event. They precede those of the feed.
 * @returns the sequence of the first event.
 * @throws ConditionFailed with the positions of `others` if one of their conditions fails.
 */
export async function appendInTransaction(
  addition: Omit<FeedAddition, "nowMs">,
  others: (first: number, nowMs: number) => readonly WriteItem[],
  { eventFeed, usage, commit }: AppendToFeedDependencies,
): Promise<number> {
  const { teamId } = addition;
  for (let attempt = 1; ; attempt++) {
    const nowMs = ports().clock.now();
    const { first, items, counted } = eventFeed.appendItems(await eventFeed.getTail(teamId), { ...addition, nowMs });
    const before = others(first, nowMs);
    try {
      await commit([...before, ...items, ...(counted ? usage.addDayItems(teamId, counted) : [])]);
      return first;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MAX_APPEND_ATTEMPTS) throw error;
      if ([...error.items.keys()].some((position) => position < before.length)) throw error;
      await sleep(PAUSE_MS * attempt * randomFraction());
    }
  }
}

/** Appends events to the feed of their team: usually by one write. @returns the sequence of the first event. */
export async function appendToFeed(
  addition: Omit<FeedAddition, "nowMs">,
  deps: AppendToFeedDependencies,
): Promise<number> {
  const appended = await deps.eventFeed.tryAppend({ ...addition, nowMs: ports().clock.now() });
  return appended ?? appendInTransaction(addition, () => [], deps);
}
