import { DAY_MS } from "../shared/durations.ts";
import { parseInstant } from "../shared/instant.ts";
import { utcOffsetAt } from "../shared/time-zone.ts";
import type { ConverterLookup } from "../timeseries/units.ts";
import type { Refusal } from "./refusal.ts";
import type { RejectionReason } from "./rejection-reasons.ts";

/** The days whose data is accepted for a user. */
export interface IngestionBounds {
  /** Start of the first day and end of the last, local clock time as epoch ms as if it were UTC. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** IANA time zone for data without an offset from UTC. */
  readonly timeZone: string;
}

/** Everything beside the record that its acceptance depends on. */
export interface AcceptanceContext {
  /** When the record was received, epoch ms. */
  readonly receivedAt: number;
  readonly bounds: IngestionBounds;
  /** Without it, values in a unit other than the resource's own are rejected. */
  readonly converterOf?: ConverterLookup | undefined;
}

/**
 * Bounds from a user's `ingestion_start` and `ingestion_end` (dates, inclusive; null for no limit). A date is a day at
 * the place of measurement if its offset is known, or else in `timeZone`.
 */
export function ingestionBounds(start: string | null, end: string | null, timeZone = "UTC"): IngestionBounds {
  return {
    fromMs: start === null ? Number.NEGATIVE_INFINITY : utcMidnightMs(start),
    untilMs: end === null ? Number.POSITIVE_INFINITY : utcMidnightMs(end) + DAY_MS,
    timeZone,
  };
}

/** Midnight UTC of a calendar date (YYYY-MM-DD), epoch ms; NaN for an invalid date. */
export function utcMidnightMs(date: string): number {
  return parseInstant(`${date}T00:00Z`)?.ms ?? Number.NaN;
}

/** A period with the fields that name its start and its end. */
export interface TimeSpan {
  /** Epoch ms. */
  readonly startMs: number;
  /** Epoch ms; null for a forecast, which has no end. */
  readonly endMs: number | null;
  /** Offset from UTC at the start, seconds; null or absent when unknown. */
  readonly offsetS?: number | null;
  readonly fields: readonly [start: string, end: string];
}

/** Refuses a time span by the rules of {@link checkTimeSpan}, and names the field that breaks one. */
export function refuseTimeSpan(span: TimeSpan, context: AcceptanceContext): Refusal | undefined {
  const { startMs, endMs, offsetS, fields } = span;
  const reason = checkTimeSpan(startMs, endMs ?? Number.NEGATIVE_INFINITY, context, offsetS);
  return reason && { field: spanField(reason, startMs, context, fields), reason };
}

/** The field that breaks a rule of {@link checkTimeSpan}: the end if only the end lies in the future. */
export function spanField(
  reason: RejectionReason,
  startMs: number,
  { receivedAt }: AcceptanceContext,
  [start, end]: TimeSpan["fields"],
): string {
  return reason === "in_the_future" && startMs <= receivedAt + DAY_MS ? end : start;
}

/**
 * Rejects a time span that ends more than one day after its receipt (clocks and zones differ) or starts out of bounds.
 * @param offsetS offset from UTC at the start, seconds; null or undefined when unknown.
 */
export function checkTimeSpan(
  startMs: number,
  endMs: number,
  { receivedAt, bounds }: AcceptanceContext,
  offsetS?: number | null,
): RejectionReason | undefined {
  if (endMs > receivedAt + DAY_MS) return "in_the_future";
  const { fromMs, untilMs, timeZone } = bounds;
  if (fromMs === Number.NEGATIVE_INFINITY && untilMs === Number.POSITIVE_INFINITY) return undefined;
  const localMs = startMs + (offsetS ?? utcOffsetAt(timeZone, startMs)) * 1000;
  return localMs < fromMs || localMs >= untilMs ? "out_of_bounds" : undefined;
}
