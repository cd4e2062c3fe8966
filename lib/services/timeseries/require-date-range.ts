import { type DateRange, dateRange } from "../../domain/shared/date-range.ts";
import type { RangeQuery } from "../../domain/timeseries/range-query.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

/** Parses the date range of a query. @throws ValidationFailed that names the invalid boundary. */
export function requireDateRange(query: Pick<RangeQuery, "start_date" | "end_date">): DateRange {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range === "string")
    throw ValidationFailed.at(["query", range], "Not a date or ISO 8601 date-time, or before start_date");
  return range;
}
