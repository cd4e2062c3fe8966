import { type DateRange, dateRange, parseBoundary } from "../../domain/shared/date-range.ts";
import type { RangeQuery } from "../../domain/timeseries/range-query.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

/** Parses the date range of a query. @throws ValidationFailed that names the invalid boundary. */
export function requireDateRange(query: Pick<RangeQuery, "start_date" | "end_date">): DateRange {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range !== "string") return range;
  const isReadable = range === "end_date" && parseBoundary(query.end_date ?? "", "end") !== undefined;
  const problem = isReadable ? "Before start_date" : "Not a date or ISO 8601 date-time between 1900 and 2999";
  throw ValidationFailed.at(["query", range], problem);
}
