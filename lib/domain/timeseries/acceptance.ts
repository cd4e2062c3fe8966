import { parseInstant } from "./instant.ts";

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

/** The instants for which a user's data is taken, epoch ms: from (included) until (excluded). */
export interface IngestionBounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What taking a record depends on besides the record. */
export interface AcceptanceContext {
  /** When the record was received, epoch ms. */
  readonly receivedAt: number;
  readonly bounds: IngestionBounds;
}

const DAY_MS = 86_400_000;

/**
 * The bounds that a user's `ingestion_start` and `ingestion_end` (dates, both included; null for no limit) stand for.
 * Dates are read as UTC with a margin of one day on both sides, because a date names no time zone.
 */
export function ingestionBounds(start: string | null, end: string | null): IngestionBounds {
  return {
    fromMs: start === null ? Number.NEGATIVE_INFINITY : midnight(start) - DAY_MS,
    untilMs: end === null ? Number.POSITIVE_INFINITY : midnight(end) + 2 * DAY_MS,
  };
}

/** The start of a calendar date (YYYY-MM-DD) in UTC, epoch ms; NaN where there is no such date. */
export function midnight(date: string): number {
  return parseInstant(`${date}T00:00Z`)?.ms ?? Number.NaN;
}

/** Refuses spans that end over a day ahead of their receipt (clocks and zones differ) or begin out of bounds. */
export function checkWindow(startMs: number, endMs: number, context: AcceptanceContext): RejectionReason | undefined {
  if (endMs > context.receivedAt + DAY_MS) return "in_the_future";
  if (startMs < context.bounds.fromMs || startMs >= context.bounds.untilMs) return "out_of_bounds";
  return undefined;
}
