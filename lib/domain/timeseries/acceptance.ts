import { offsetAt } from "../time-zone.ts";
import { parseInstant } from "./instant.ts";
import type { ConverterOf } from "./units.ts";

/** Why a record was not taken; these strings are part of the interface (receipts name them). */
export const rejectionReasons = [
  "bad_time",
  "end_before_start",
  "in_the_future",
  "out_of_bounds",
  "bad_type",
  "bad_value",
  "unknown_unit",
  "value_out_of_range",
  "bad_field",
  "too_large",
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** The days for which a user's data is taken. */
export interface IngestionBounds {
  /** Where the first of them begins and the last ends, by a clock that shows local time, epoch ms as if it were UTC. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The IANA zone of data that does not say how far from UTC it was taken. */
  readonly timeZone: string;
}

/** What taking a record depends on besides the record. */
export interface AcceptanceContext {
  /** When the record was received, epoch ms. */
  readonly receivedAt: number;
  readonly bounds: IngestionBounds;
  /** Where it is missing, values in another unit than the resource's own are not taken. */
  readonly converterOf?: ConverterOf | undefined;
}

const DAY_MS = 86_400_000;

/**
 * The bounds that a user's `ingestion_start` and `ingestion_end` (dates, both included; null for no limit) stand for.
 * A date is a day where the data was taken, as far as that is known, else in `timeZone`.
 */
export function ingestionBounds(start: string | null, end: string | null, timeZone = "UTC"): IngestionBounds {
  return {
    fromMs: start === null ? Number.NEGATIVE_INFINITY : midnight(start),
    untilMs: end === null ? Number.POSITIVE_INFINITY : midnight(end) + DAY_MS,
    timeZone,
  };
}

/** The start of a calendar date (YYYY-MM-DD) in UTC, epoch ms; NaN where there is no such date. */
export function midnight(date: string): number {
  return parseInstant(`${date}T00:00Z`)?.ms ?? Number.NaN;
}

/**
 * Refuses spans that end over a day ahead of their receipt (clocks and zones differ) or begin out of bounds.
 * @param offsetS seconds from UTC where they begin; null or none when unknown.
 */
export function checkWindow(
  startMs: number,
  endMs: number,
  { receivedAt, bounds }: AcceptanceContext,
  offsetS?: number | null,
): RejectionReason | undefined {
  if (endMs > receivedAt + DAY_MS) return "in_the_future";
  const { fromMs, untilMs, timeZone } = bounds;
  if (fromMs === Number.NEGATIVE_INFINITY && untilMs === Number.POSITIVE_INFINITY) return undefined;
  const localMs = startMs + (offsetS ?? offsetAt(timeZone, startMs)) * 1000;
  return localMs < fromMs || localMs >= untilMs ? "out_of_bounds" : undefined;
}
