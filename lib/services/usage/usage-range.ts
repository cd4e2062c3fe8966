import { countDays, MAX_USAGE_DAYS, sortDates, utcDate } from "../../domain/usage/usage-day.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

/** Requested days of a usage response, as dates. */
interface UsageRangeQuery {
  readonly start_date: string;
  readonly end_date?: string | undefined;
}

/**
 * Resolves the UTC days to read, first and last included. Leaves out future days, which have no usage.
 * @param nowMs epoch milliseconds.
 * @throws ValidationFailed if the range ends before its start or is too long.
 */
export function resolveUsageRange({ start_date, end_date }: UsageRangeQuery, nowMs: number) {
  const today = utcDate(nowMs);
  const [, latest = today] = sortDates(today, start_date);
  const requested = end_date ?? latest;
  const days = countDays(start_date, requested);
  if (days === 0) throw ValidationFailed.at(["query", "end_date"], "Before start_date");
  if (days > MAX_USAGE_DAYS) throw ValidationFailed.at(["query", "end_date"], `More than ${MAX_USAGE_DAYS} days`);
  const [last = today] = sortDates(requested, today);
  return { first: start_date, last };
}
