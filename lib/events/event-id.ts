import { createHash } from "node:crypto";

/** What every event's id begins with. */
export const EVENT_ID_PREFIX = "evt_";
/** What the id of an event begins with that a team asked for to try an endpoint; it is in neither bus nor feed. */
export const TEST_EVENT_ID_PREFIX = "test_";

/** The id of any event. */
export const EVENT_ID_PATTERN = /^(?:evt|test)_[a-z2-7]{26}$/;

/** Whether an event is there to try an endpoint, and tells of nothing. */
export const isTestEvent = ({ event_id }: { readonly event_id: string }): boolean =>
  event_id.startsWith(TEST_EVENT_ID_PREFIX);

/** What an event is about; `user_id` is empty where it is the team's alone. */
export interface EventSubject {
  readonly team_id: string;
  readonly user_id: string;
  /** What has changed, among all that the user or the team has. */
  readonly key: string;
  readonly version: number;
  readonly type: string;
}

/**
 * The id of an event, computed from what it is about, so that building the same event twice gives the same id.
 * `evt_` and 26 characters of base32; no dot, because a dot separates the fields under a webhook signature.
 */
export function eventId({ team_id, user_id, key, version, type }: EventSubject): string {
  const subject = JSON.stringify([team_id, user_id, key, version, type]);
  const digest = createHash("sha256").update(subject).digest();
  return `${EVENT_ID_PREFIX}${base32(digest).slice(0, 26)}`;
}

/** The id of a test event, from at least 17 random bytes. */
export const testEventId = (bytes: Uint8Array): string => `${TEST_EVENT_ID_PREFIX}${base32(bytes).slice(0, 26)}`;

/** RFC 4648 base32 in lower case, without padding. */
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
