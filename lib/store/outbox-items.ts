import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { outbox } from "../contract/resources.ts";
import { type EventBody, type EventReference, eventReference } from "../events/envelope.ts";
import type { Key } from "./table.ts";

/** What names an event among all. */
export type NamedEvent = Pick<EventReference, "team_id" | "user_id" | "event_id">;

const packed = z.instanceof(Uint8Array);
/** An event; a long body lies in an item apart. */
export const eventItem = z.object({ pk: z.string(), sk: z.string(), body: packed.optional() });
/** The body of an event in an item apart. */
export const bodyItem = z.object({ pk: z.string(), sk: z.string(), body: packed });
/** When an event was written. */
export const writtenItem = z.object({ pk: z.string(), sk: z.string(), created_at: z.string() });
/** An event as the index of unsent ones has it. */
export const unsentItem = eventReference.extend({ created_at: z.string() });
/** As much of an event, or of its body apart, as its erasure needs; `feed_page` names the page that lists it. */
export const erasableItem = z.object({ pk: z.string(), sk: z.string(), feed_page: z.string().optional() });

/** Partitions of the sparse index of unsent events, over which they are spread. */
export const unsentShards = Array.from({ length: 8 }, (_, shard) => `${outbox.keyPrefix}${shard}`);
/**
 * Events are kept for as long as the feed lists them and a week more: what is expired is deleted in the course of days,
 * and an erasure finds the pages of the feed that name a user by its events.
 */
const KEPT_S = 37 * 24 * 60 * 60;
const BODY_PREFIX = "body#";

/** Where all events of a user are. */
export const eventsOf = (teamId: string, userId: string): string => `${outbox.keyPrefix}${teamId}#${userId}`;

export const eventKey = ({ team_id, user_id, event_id }: NamedEvent): Key => ({
  pk: eventsOf(team_id, user_id),
  sk: event_id,
});

/** Where the body of an event is, if it lies apart. */
export const bodyKey = (event: NamedEvent): Key => {
  const { pk, sk } = eventKey(event);
  return { pk, sk: `${BODY_PREFIX}${sk}` };
};

/** The name of an event among all: earlier versions gave events of two users one id. */
export const eventName = (event: NamedEvent): string => itemName(eventKey(event));

/** The name of the event that is, or whose body is, in an item. */
export const itemName = ({ pk, sk }: Key): string =>
  `${pk}#${sk.startsWith(BODY_PREFIX) ? sk.slice(BODY_PREFIX.length) : sk}`;

/** When what is written now may go, in epoch seconds. */
export const expiry = (epochMs: number): number => Math.floor(epochMs / 1000) + KEPT_S;

export const packText = (json: string): Uint8Array => gzipSync(json);
export const pack = (body: EventBody): Uint8Array => packText(JSON.stringify(body));
/** The body as JSON text, exactly as it was built. */
export const unpack = (body: Uint8Array): string => gunzipSync(body).toString("utf8");

/** A new event without its body, not sent yet. @param now ISO 8601. */
export function newItem(reference: EventReference, now: string) {
  const shard = reference.event_id.charCodeAt(reference.event_id.length - 1) % unsentShards.length;
  return {
    ...eventKey(reference),
    ...reference,
    created_at: now,
    unsent_shard: unsentShards[shard],
    expires_at: expiry(Date.parse(now)),
  };
}
