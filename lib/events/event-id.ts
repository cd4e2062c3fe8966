import { createHash } from "node:crypto";

/** What every event's id begins with. */
export const EVENT_ID_PREFIX = "evt_";

/**
 * The id of an event, computed from what it is about, so that building the same event twice gives the same id.
 * `evt_` and 26 characters of base32; no dot, because a dot separates the fields under a webhook signature.
 */
export function eventId(about: { team_id: string; key: string; version: number; type: string }): string {
  const digest = createHash("sha256").update([about.team_id, about.key, about.version, about.type].join("\n")).digest();
  return `${EVENT_ID_PREFIX}${base32(digest).slice(0, 26)}`;
}

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
