import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { outbox } from "../../contract/resources.ts";
import { type EventBody, type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import type { Key } from "../item.ts";

/** The fields that identify an event. */
export type EventIdentity = Pick<EventReference, "team_id" | "user_id" | "event_id">;

const compressedBody = z.instanceof(Uint8Array);
/** An event item. A long body is in a separate item. */
export const eventItem = z.object({ pk: z.string(), sk: z.string(), body: compressedBody.optional() });
/** The separate item of a long body. */
export const bodyItem = z.object({ pk: z.string(), sk: z.string(), body: compressedBody });
/** Creation time of an event. */
export const creationItem = z.object({ pk: z.string(), sk: z.string(), created_at: z.string() });
/** An event in the index of unpublished events. */
export const unsentItem = eventReference.extend({ created_at: z.string() });
/** The fields of an event or separate body that its erasure needs. `feed_page` names the feed page of the event. */
export const erasableItem = z.object({ pk: z.string(), sk: z.string(), feed_page: z.string().optional() });

/** Partitions of the sparse index of unpublished events. */
export const unsentShards = Array.from({ length: 8 }, (_, shard) => `${outbox.keyPrefix}${shard}`);
/**
 * Retention: as long as the feed lists events and a week more. DynamoDB deletes expired items within days, and an
 * erasure finds the feed pages of a user by the user's events.
 */
const KEPT_S = 37 * 24 * 60 * 60;
const BODY_PREFIX = "body#";

/** Returns the partition of a user's events. */
export const userEventsPartition = (teamId: string, userId: string): string => `${outbox.keyPrefix}${teamId}#${userId}`;

export const eventKey = ({ team_id, user_id, event_id }: EventIdentity): Key => ({
  pk: userEventsPartition(team_id, user_id),
  sk: event_id,
});

/** Returns the key of a separate body. */
export const bodyKey = (event: EventIdentity): Key => {
  const { pk, sk } = eventKey(event);
  return { pk, sk: `${BODY_PREFIX}${sk}` };
};

/** Returns a unique name of an event. Earlier versions gave events of two users one id. */
export const eventIdentityKey = (event: EventIdentity): string => itemIdentityKey(eventKey(event));

/** Returns the unique name of an item's event; the item is the event or its separate body. */
export const itemIdentityKey = ({ pk, sk }: Key): string =>
  `${pk}#${sk.startsWith(BODY_PREFIX) ? sk.slice(BODY_PREFIX.length) : sk}`;

/** Returns the expiry of an item written now, in epoch seconds. */
export const expiresAtS = (epochMs: number): number => Math.floor(epochMs / 1000) + KEPT_S;

export const compressText = (json: string): Uint8Array => gzipSync(json);
export const compressBody = (body: EventBody): Uint8Array => compressText(JSON.stringify(body));
/** Returns the body as JSON text, exactly as it was composed. */
export const decompressBody = (body: Uint8Array): string => gunzipSync(body).toString("utf8");

/** Returns the item of a new, unpublished event without its body. @param now ISO 8601. */
export function toUnsentItem(reference: EventReference, now: string) {
  const shard = reference.event_id.charCodeAt(reference.event_id.length - 1) % unsentShards.length;
  return {
    ...eventKey(reference),
    ...reference,
    created_at: now,
    unsent_shard: unsentShards[shard],
    expires_at: expiresAtS(Date.parse(now)),
  };
}
