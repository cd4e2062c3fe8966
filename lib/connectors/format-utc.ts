import { formatOffset } from "../domain/shared/instant.ts";

/**
 * Formats an instant with `Z`, which states no local offset; `+00:00` would state that the user is at UTC. An invalid
 * number becomes an invalid text, so that only its own record is rejected.
 */
export function formatUtc(ms: number): string {
  const instant = new Date(ms);
  return Number.isNaN(instant.getTime()) ? "no instant" : instant.toISOString();
}

/** Formats an instant at an offset from UTC in seconds, or with {@link formatUtc} without a full minute of one. */
export function formatAtOffset(ms: number, offsetS: number | null | undefined): string {
  if (Number.isNaN(ms) || offsetS == null || offsetS % 60 !== 0) return formatUtc(ms);
  return `${formatUtc(ms + offsetS * 1000).slice(0, -1)}${formatOffset(offsetS)}`;
}

/**
 * The time of a sample that a provider states for a date alone: midnight UTC. Its stated offset of 0 keeps it on that
 * date, whatever the user's time zone is.
 */
export const midnightOf = (date: string) => ({ timestamp: `${date}T00:00:00Z`, timezone_offset: 0 }) as const;
