import type { EventReference } from "../../events/catalogue/envelope.ts";
import { ports } from "../../runtime/ports.ts";
import type { UnsentEvent } from "../../store/events/find-unsent-events.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { appendingTime } from "./appending-time.ts";
import { publishAndSequence, type RelayEventsDependencies } from "./relay-events.ts";

/**
 * Age at which the sweeper publishes an event. The relay has had its time then, and no function that stored the event
 * as part of a batch can still run ({@link appendingTime}).
 */
const SWEPT_AFTER_MS = 60_000;
/**
 * Publishes the events that the relay or their batch left.
 * @param grant grants the scope of the team of a stored event.
 * @returns when the next one is due, epoch ms.
 */
export async function sweepEvents(deps: RelayEventsDependencies, grant: (teamId: string) => TeamScope) {
  const { unsent, nextDueAt } = await deps.outbox.listUnsent(ports().clock.now() - SWEPT_AFTER_MS);
  const listed = new Set<EventReference>();
  for (const [teamId, ofTeam] of Map.groupBy(unsent, ({ reference }) => reference.team_id))
    for (const reference of await recordListed(grant(teamId), ofTeam, deps)) listed.add(reference);
  const missing = unsent.flatMap(({ reference }) => (listed.has(reference) ? [] : [reference]));
  const counts = await deps.outbox.getBatchCounts(missing);
  const failed = await publishAndSequence(missing, deps, (event) => counts.get(eventIdentityKey(event)));
  return { found: unsent.length, failed, nextDueAt: nextDueAt === undefined ? undefined : nextDueAt + SWEPT_AFTER_MS };
}

/**
 * Records the sequences of events that their batch appended to the feed before it broke off. It appended them while it
 * ran, so the feed of that time has them.
 * @returns these events.
 */
async function recordListed(
  scope: TeamScope,
  unsent: readonly UnsentEvent[],
  { eventFeed, outbox }: RelayEventsDependencies,
): Promise<EventReference[]> {
  const listed: EventReference[] = [];
  for (const { events, ...range } of runTimes(unsent)) {
    const found = await eventFeed.findSequences(scope, events, range);
    for (const event of events) {
      const sequence = found.get(event.event_id);
      if (sequence === undefined) continue;
      await outbox.recordSequence(event, sequence, ports().clock.now());
      listed.push(event);
    }
  }
  return listed;
}

/** Ranges of instants in which batches may have appended their events, joined where they overlap. */
function runTimes(unsent: readonly UnsentEvent[]): { fromMs: number; toMs: number; events: EventReference[] }[] {
  const ranges: { fromMs: number; toMs: number; events: EventReference[] }[] = [];
  for (const { reference, createdAtMs } of unsent) {
    const { fromMs, toMs } = appendingTime(createdAtMs);
    const last = ranges.at(-1);
    if (last && fromMs <= last.toMs) {
      last.toMs = toMs;
      last.events.push(reference);
    } else ranges.push({ fromMs, toMs, events: [reference] });
  }
  return ranges;
}
