import type { RejectionReason } from "../ingest/rejection-reasons.ts";
import { formatInstant, parseInstant } from "../shared/instant.ts";

/** A period of sleep or sport. */
export interface Session {
  readonly startMs: number;
  readonly endMs: number;
  readonly durationS: number;
  /** Local offset from UTC, seconds; null when unknown. */
  readonly offsetS: number | null;
}

/**
 * Parses a session, or returns why it is invalid; its duration must be positive.
 * @param offsetS the offset that the sender sent beside the times.
 */
export function parseSession(start: string, end: string, offsetS: number | null): Session | RejectionReason {
  const from = parseInstant(start);
  const until = parseInstant(end);
  if (from === undefined || until === undefined) return "bad_time";
  if (until.ms <= from.ms) return "end_before_start";
  return {
    startMs: from.ms,
    endMs: until.ms,
    durationS: Math.round((until.ms - from.ms) / 1000),
    offsetS: offsetS ?? from.offsetS,
  };
}

/** The date (YYYY-MM-DD) of an instant at `offsetS` from UTC; in UTC when unknown. */
export function localDate(ms: number, offsetS: number | null): string {
  return formatInstant(ms + (offsetS ?? 0) * 1000).slice(0, 10);
}
