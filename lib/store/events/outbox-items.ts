import * as z from "zod";
import { outbox } from "../../contract/resources.ts";
import { type EventBody, type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import type { Key } from "../item.ts";
import type { EventSamples } from "./event-body.ts";

/** The fields that identify an event. */
export type EventIdentity = Pick<EventReference, "team_id" | "user_id" | "event_id">;

const compressedBody = z.instanceof(Uint8Array);
/** An event item. A long body is in a separate item. */
export const eventItem = z.object({ pk: z.string(), sk: z.string(), body: compressedBody.optional() });
/** The separate item of a long body. */
export const bodyItem = z.object({ pk: z.string(), sk: z.string(), body: compressedBody });
/** Creation time of an event. */
export const creationItem = z.object({ pk: z.string(), sk: z.string(), created_at: z.string() });
/** What a batch adds to the usage of its team. */
export const batchCounts = z.object({ samples: z.number().int(), bytes: z.number().int() });
export type BatchCounts = z.output<typeof batchCounts>;
/** The first event of a batch, which carries its counts until they are in the feed. */
export const countedItem = z.object({ pk: z.string(), sk: z.string(), counts: batchCounts.optional() });
/** An event for the outbox: its reference and its body, which is stored compressed. */
export interface OutboxEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
  /** The samples that the body lists. */
  readonly samples?: EventSamples | undefined;
}

/** The batch of an event, with its counts in the first of its events. */
export interface EventBatch {
  readonly receiptId: string;
  readonly counts?: BatchCounts | undefined;
}

/** An event in the index of unpublished events. */
export const unsentItem = eventReference.extend({ created_at: z.string() });
/**
 * Sequence of an event whose batch appends it to the feed: the feed alone has the real one. A version that knows only
 * the relay takes such an event for a sequenced one and leaves it alone.
 */
export const UNKNOWN_SEQUENCE = 0;

/** The fields of an event or separate body that its erasure needs. */
export const erasableItem = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Absent before the relay appends the event to the feed. */
  sequence: z.number().int().optional(),
  created_at: z.string().optional(),
});
export type ErasableItem = z.output<typeof erasableItem>;

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

/** Returns the index partition of an unpublished event. */
export const unsentShardOf = ({ event_id }: EventIdentity): string =>
  `${outbox.keyPrefix}${event_id.charCodeAt(event_id.length - 1) % unsentShards.length}`;

/**
 * Returns the item of a new, unpublished event without its body.
 * @param now ISO 8601.
 * @param traceparent the trace of the event.
 */
export function toUnsentItem(reference: EventReference, now: string, traceparent?: string) {
  return {
    ...eventKey(reference),
    ...reference,
    ...(traceparent === undefined ? {} : { traceparent }),
    created_at: now,
    unsent_shard: unsentShardOf(reference),
    expires_at: expiresAtS(Date.parse(now)),
  };
}
