import * as z from "zod";
import { type EventBody, eventBody } from "../../events/catalogue/envelope.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { answerBytes, MAX_PAGE_BYTES } from "../../runtime/http/answer-size.ts";
import { ports } from "../../runtime/ports.ts";
import type { FeedEntry } from "../../store/events/event-feed.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Bodies read in one batch. A larger batch could exceed the memory of the function. */
const BODY_BATCH_SIZE = 25;

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

type EventPageDependencies = Dependencies<"eventFeed" | "outbox" | "users">;

/**
 * Reads up to `limit` events of a team after a sequence number. A full page ends earlier, but has at least one event.
 */
export async function readEvents(
  { eventFeed, outbox, users }: EventPageDependencies,
  scope: TeamScope,
  { after, limit }: { after: number; limit: number },
): Promise<SequencedEvent[]> {
  const listed = await takeFirst(limit, eventFeed.read(scope, after, ports().clock.now()));
  const active = await activeUsers(users, scope, listed);
  const page: SequencedEvent[] = [];
  let bytes = 0;
  for (let begin = 0; begin < listed.length; begin += BODY_BATCH_SIZE) {
    const some = listed.slice(begin, begin + BODY_BATCH_SIZE);
    const bodies = await outbox.getBodies(some.flatMap((entry) => readableEvents(scope, entry, active)));
    for (const { sequence, event_id, user_id = "" } of some) {
      const text = bodies.get(eventIdentityKey({ team_id: scope.teamId, user_id, event_id }));
      bytes += text === undefined ? 0 : answerBytes(text);
      if (bytes > MAX_PAGE_BYTES && page.length > 0) return page;
      page.push({ sequence, event_id, body: text === undefined ? null : (JSON.parse(text) as EventBody) });
    }
  }
  return page;
}

async function takeFirst(limit: number, entries: AsyncGenerator<FeedEntry>): Promise<FeedEntry[]> {
  const taken: FeedEntry[] = [];
  for await (const entry of entries) if (taken.push(entry) === limit) break;
  return taken;
}

/** Returns the users of the entries that are neither deleted nor pending deletion. */
async function activeUsers(users: UserStore, scope: TeamScope, entries: readonly FeedEntry[]): Promise<Set<string>> {
  const ids = new Set(entries.flatMap(({ user_id }) => user_id || []));
  return new Set((await users.getMany(scope, [...ids])).map(({ user_id }) => user_id));
}

function readableEvents({ teamId: team_id }: TeamScope, { event_id, user_id }: FeedEntry, active: ReadonlySet<string>) {
  return user_id === "" || (user_id && active.has(user_id)) ? [{ team_id, user_id, event_id }] : [];
}
