import { parseInstant } from "./timeseries/instant.ts";

/** A span of time to read, both ends included, epoch milliseconds. */
export interface DateRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The last instant that is ever asked for when a query names no end. */
const FAR_FUTURE_MS = Date.UTC(2999, 11, 31);

/** Every instant that a sample may have. */
export const allTime: DateRange = { fromMs: Date.UTC(1900, 0, 1), toMs: FAR_FUTURE_MS };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * One end of a queried range: a calendar date, or an ISO 8601 date-time (UTC unless it has an offset).
 * A date without time means 00:00:00 as a start and 23:59:59 as an end (spec, Timeseries).
 * @returns epoch milliseconds, or undefined for anything else.
 */
export function parseBoundary(text: string, end: "start" | "end"): number | undefined {
  if (DATE.test(text)) return parseInstant(`${text}T${end === "start" ? "00:00:00Z" : "23:59:59.999Z"}`)?.ms;
  return parseDateTime(text);
}

/** An ISO 8601 date-time of a query, UTC unless it has an offset. @returns epoch ms, or undefined for anything else. */
export function parseDateTime(text: string): number | undefined {
  // An unescaped "+" of an offset arrives as a space.
  const written = text.replace(/ (?=\d\d:\d\d$)/, "+").replace(" ", "T");
  return (parseInstant(written) ?? parseInstant(`${written}Z`))?.ms;
}

/** The range between two boundaries, or the name of the one that can not be read or lies before the start. */
export function dateRange(start: string, end: string | undefined): DateRange | "start_date" | "end_date" {
  const fromMs = parseBoundary(start, "start");
  if (fromMs === undefined) return "start_date";
  const toMs = end === undefined || end === "" ? FAR_FUTURE_MS : parseBoundary(end, "end");
  return toMs === undefined || toMs < fromMs ? "end_date" : { fromMs, toMs };
}
