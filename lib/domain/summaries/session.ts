import type { RejectionReason } from "../timeseries/acceptance.ts";
import { formatInstant, parseInstant } from "../timeseries/instant.ts";

/** A stretch of sleep or sport. */
export interface Session {
  readonly startMs: number;
  readonly endMs: number;
  readonly durationS: number;
  /** Offset from UTC where it happened, seconds; null when unknown. */
  readonly offsetS: number | null;
}

/** Reads a session, or tells why it is none; it must last. `offsetS` is what the sender gave beside the times. */
export function readSession(start: string, end: string, offsetS: number | null): Session | RejectionReason {
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

/** The day on which an instant is where `offsetS` holds (UTC when unknown), YYYY-MM-DD. */
export function localDate(ms: number, offsetS: number | null): string {
  return formatInstant(ms + (offsetS ?? 0) * 1000).slice(0, 10);
}
