import { parseInstant } from "./instant.ts";

/** A time range to read, both ends inclusive, epoch milliseconds. */
export interface DateRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** End of a range without an end. */
const FAR_FUTURE_MS = Date.UTC(2999, 11, 31);

/** The range of all possible sample instants. */
export const allTime: DateRange = { fromMs: Date.UTC(1900, 0, 1), toMs: FAR_FUTURE_MS };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Parses one end of a range: a calendar date, or an ISO 8601 date-time (UTC unless it has an offset). A date without a
 * time means 00:00:00 as a start and 23:59:59 as an end.
 * @returns epoch milliseconds, or undefined for anything else.
 */
export function parseBoundary(text: string, end: "start" | "end"): number | undefined {
  if (DATE.test(text)) return parseInstant(`${text}T${end === "start" ? "00:00:00Z" : "23:59:59.999Z"}`)?.ms;
  return parseDateTime(text);
}

/**
 * Parses an ISO 8601 date-time of a query, UTC unless it has an offset.
 * @returns epoch milliseconds, or undefined for anything else.
 */
export function parseDateTime(text: string): number | undefined {
  // The "+" of an offset arrives as a space when it is not escaped.
  const written = text.replace(/ (?=\d\d:\d\d$)/, "+").replace(" ", "T");
  return (parseInstant(written) ?? parseInstant(`${written}Z`))?.ms;
}

/** Parses a range. Returns the name of the parameter that is invalid, or that ends before the start. */
export function dateRange(start: string, end: string | undefined): DateRange | "start_date" | "end_date" {
  const fromMs = parseBoundary(start, "start");
  if (fromMs === undefined) return "start_date";
  const toMs = end === undefined || end === "" ? FAR_FUTURE_MS : parseBoundary(end, "end");
  return toMs === undefined || toMs < fromMs ? "end_date" : { fromMs, toMs };
}
