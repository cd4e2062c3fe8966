import type { QueriedTable } from "./expression-names.ts";
import { DAY_MS, formatFloating, later, parseFloating, truncate } from "./floating-time.ts";
import type { AggregationQuery, MergeMode, Timeframe } from "./query.ts";
import { BASELINE_DAYS } from "./readiness.ts";

/** A stretch of floating time, `from` included, `to` excluded: YYYY-MM-DDTHH:mm:ss. */
export interface FloatingSpan {
  readonly from: string;
  readonly to: string;
}

/** Before this there is no data. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);

/** The timeframe of a batch: so long before the end of its anchor day. */
export function spanOf({ anchor, past }: Timeframe): FloatingSpan {
  const to = parseFloating(anchor) + DAY_MS;
  return { from: formatFloating(Math.max(EARLIEST_MS, later(to, past, -1) || EARLIEST_MS)), to: formatFloating(to) };
}

/** Days of floating time, counted from 1970-01-01, both included. */
export interface ReadDays {
  readonly first: number;
  readonly last: number;
}

/** A sleep or workout belongs to a date of its source's choice, which lies this near to its index. */
const SUMMARY_MARGIN = 8;
/** A row may cover time into the next day, where it sets others aside. */
const COVER_MARGIN = 1;

/** The days of which rows have to be read to evaluate a query over a timeframe; nothing of older history. */
export function daysToRead(
  table: QueriedTable,
  { from, to }: FloatingSpan,
  merge: MergeMode | null | undefined,
): ReadDays {
  const first = Math.floor(parseFloating(from) / DAY_MS);
  const last = Math.floor((parseFloating(to) - 1) / DAY_MS);
  if (typeof table !== "string") return { first: merge === "interval" ? first - COVER_MARGIN : first, last };
  const before = table === "derived_readiness" ? BASELINE_DAYS : 0;
  return { first: first - before - SUMMARY_MARGIN, last: last + SUMMARY_MARGIN };
}

/** How many groups an aligned query may have at most in a timeframe. */
export const MOST_ALIGNED = 20_000;

/** Whether filling the empty groups of a timeframe would make more than {@link MOST_ALIGNED}. */
export function isTooFine({ align, group_by }: AggregationQuery, { from, to }: FloatingSpan): boolean {
  const [period] = (group_by ?? []).flatMap((item) => ("date_trunc" in item ? [item.date_trunc] : []));
  if (!align || !period) return false;
  const first = truncate(period)(parseFloating(from));
  return later(first, { ...period, value: period.value * MOST_ALIGNED }) < parseFloating(to);
}
