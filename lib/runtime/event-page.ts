import * as z from "zod";
import { type EventBody, eventBody } from "../events/envelope.ts";
import type { EventFeedStore, FeedEntry } from "../store/event-feed.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { eventName } from "../store/outbox-items.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserStore } from "../store/users.ts";
import { answeredBytes, MOST_PAGE_BYTES } from "./answer-size.ts";
import { ports } from "./ports.ts";

/** Bodies read in one batch. A larger batch could exceed the memory of the function. */
const BODIES_AT_ONCE = 25;

/** An event in the feed (docs/events.md, Sequence and healing). */
export const sequencedEvent = z
  .object({
    sequence: z
      .number()
      .int()
      .meta({ description: "Sequence number within the team's events. Starts at 1 and has no gaps" }),
    event_id: z.string().meta({ description: "Id of the event, sent as webhook-id" }),
    body: eventBody.nullable().meta({ description: "The original body; null if its user is deleted" }),
  })
  .meta({ id: "SequencedEvent" });
export type SequencedEvent = z.output<typeof sequencedEvent>;

interface PageUses {
  readonly eventFeed: EventFeedStore;
  readonly outbox: OutboxStore;
  readonly users: UserStore;
}

/**
 * Reads up to `limit` events of a team after a sequence number. A full page ends earlier, but has at least one event.
 */
export async function readEvents(
  { eventFeed, outbox, users }: PageUses,
  scope: TeamScope,
  { after, limit }: { after: number; limit: number },
): Promise<SequencedEvent[]> {
  const listed = await first(limit, eventFeed.read(scope, after, ports().clock.now()));
  const active = await activeUsers(users, scope, listed);
  const page: SequencedEvent[] = [];
  let bytes = 0;
  for (let begin = 0; begin < listed.length; begin += BODIES_AT_ONCE) {
    const some = listed.slice(begin, begin + BODIES_AT_ONCE);
    const bodies = await outbox.bodies(some.flatMap((entry) => readable(scope, entry, active)));
    for (const { sequence, event_id, user_id = "" } of some) {
      const text = bodies.get(eventName({ team_id: scope.teamId, user_id, event_id }));
      bytes += text === undefined ? 0 : answeredBytes(text);
      if (bytes > MOST_PAGE_BYTES && page.length > 0) return page;
      page.push({ sequence, event_id, body: text === undefined ? null : (JSON.parse(text) as EventBody) });
    }
  }
  return page;
}

async function first(limit: number, entries: AsyncGenerator<FeedEntry>): Promise<FeedEntry[]> {
  const taken: FeedEntry[] = [];
  for await (const entry of entries) if (taken.push(entry) === limit) break;
  return taken;
}

/** Returns the users of the entries that are neither deleted nor pending deletion. */
async function activeUsers(users: UserStore, scope: TeamScope, entries: readonly FeedEntry[]): Promise<Set<string>> {
  const ids = new Set(entries.flatMap(({ user_id }) => user_id || []));
  return new Set((await users.getMany(scope, [...ids])).map(({ user_id }) => user_id));
}

function readable({ teamId: team_id }: TeamScope, { event_id, user_id }: FeedEntry, active: ReadonlySet<string>) {
  return user_id === "" || (user_id && active.has(user_id)) ? [{ team_id, user_id, event_id }] : [];
}
