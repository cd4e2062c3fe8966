import type { TimeSpan } from "../ingest/ingestion-bounds.ts";
import type { Refusal } from "../ingest/refusal.ts";
import { formatInstant, parseInstant } from "../shared/instant.ts";
import { utcOffsetAt } from "../shared/time-zone.ts";

/** A period of sleep or sport. */
export interface Session extends TimeSpan {
  readonly endMs: number;
  readonly durationS: number;
  /** Local offset from UTC at the start, seconds; null when unknown. */
  readonly offsetS: number | null;
  /** Local offset from UTC at the end, seconds; differs after a change of clocks or a journey. */
  readonly endOffsetS: number | null;
}

/**
 * Parses a session, or returns why it is invalid; its duration must be positive.
 * @param fields names of its start and its end.
 * @param offsetS the offset that the sender sent beside the times.
 */
export function parseSession<Start extends string, End extends string>(
  given: Readonly<Record<Start | End, string>>,
  fields: readonly [start: Start, end: End],
  offsetS: number | null,
): Session | Refusal {
  const [start, end] = fields;
  const from = parseInstant(given[start]);
  const until = parseInstant(given[end]);
  if (from === undefined) return { field: start, reason: "bad_time" };
  if (until === undefined) return { field: end, reason: "bad_time" };
  if (until.ms <= from.ms) return { field: end, reason: "end_before_start" };
  return {
    startMs: from.ms,
    endMs: until.ms,
    durationS: Math.round((until.ms - from.ms) / 1000),
    offsetS: offsetS ?? from.offsetS,
    endOffsetS: offsetS ?? until.offsetS ?? from.offsetS,
    fields,
  };
}

/**
 * The date (YYYY-MM-DD) of an instant at `offsetS` from UTC.
 * @param timeZone IANA time zone of the date when the offset is unknown; UTC by default.
 */
export function localDate(ms: number, offsetS: number | null, timeZone?: string): string {
  const offset = offsetS ?? (timeZone === undefined ? 0 : utcOffsetAt(timeZone, ms));
  return formatInstant(ms + offset * 1000).slice(0, 10);
}
