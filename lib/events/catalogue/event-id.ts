import { createHash } from "node:crypto";

/** Prefix of event ids. */
export const EVENT_ID_PREFIX = "evt_";
/** Prefix of the ids of test events. Neither the bus nor the feed contains them. */
const TEST_EVENT_ID_PREFIX = "test_";

/** Pattern of event ids. */
export const EVENT_ID_PATTERN = /^(?:evt|test)_[a-z2-7]{26}$/;

/** Whether an event is a test event for an endpoint. */
export const isTestEvent = ({ event_id }: { readonly event_id: string }): boolean =>
  event_id.startsWith(TEST_EVENT_ID_PREFIX);

/** Subject of an event. `user_id` is empty for an event of the team alone. */
export interface EventSubject {
  readonly team_id: string;
  readonly user_id: string;
  /** The changed thing, unique within the user or the team. */
  readonly key: string;
  readonly version: number;
  readonly type: string;
}

/**
 * Computes the id of an event from its subject, so composing the same event twice yields the same id. `evt_` and 26
 * characters of base32, without a dot: a dot separates the fields under a webhook signature.
 */
export function eventId({ team_id, user_id, key, version, type }: EventSubject): string {
  const subject = JSON.stringify([team_id, user_id, key, version, type]);
  const digest = createHash("sha256").update(subject).digest();
  return `${EVENT_ID_PREFIX}${base32(digest).slice(0, 26)}`;
}

/** Returns the id of a test event from at least 17 random bytes. */
export const testEventId = (bytes: Uint8Array): string => `${TEST_EVENT_ID_PREFIX}${base32(bytes).slice(0, 26)}`;

/** Encodes bytes in base32 (RFC 4648), in lower case without padding. */
function base32(bytes: Uint8Array): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return text;
}
