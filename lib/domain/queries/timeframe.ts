import { DAY_MS } from "../shared/durations.ts";
import type { AggregationQuery, Timeframe } from "./aggregation-query.ts";
import type { QueriedTable } from "./expressions/expression-names.ts";
import { addPeriod, formatFloating, parseFloating, truncate } from "./floating-time.ts";
import type { MergeMode } from "./merge-mode.ts";
import { BASELINE_DAYS } from "./rows/readiness-rows.ts";

/** An interval of floating time, `from` inclusive, `to` exclusive: YYYY-MM-DDTHH:mm:ss. */
export interface FloatingSpan {
  readonly from: string;
  readonly to: string;
}

/** No data exists before this instant. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);

/** Resolves the timeframe of a batch: the given period up to the end of its anchor day. */
export function resolveTimeframe({ anchor, past }: Timeframe): FloatingSpan {
  const to = Math.max(EARLIEST_MS, parseFloating(anchor) + DAY_MS);
  return {
    from: formatFloating(Math.max(EARLIEST_MS, addPeriod(to, past, -1) || EARLIEST_MS)),
    to: formatFloating(to),
  };
}

/** A range of floating-time days, counted from 1970-01-01, both inclusive. */
export interface DaysToRead {
  readonly first: number;
  readonly last: number;
}

/** The source chooses the date of a sleep or workout, which lies within this many days of its index. */
const SUMMARY_MARGIN_DAYS = 8;
/** A row may extend into the next day and set other rows aside there. */
const COVERAGE_MARGIN_DAYS = 1;

/** The days to read to evaluate a query over a timeframe, without older history. */
export function daysToRead(
  table: QueriedTable,
  { from, to }: FloatingSpan,
  merge: MergeMode | null | undefined,
): DaysToRead {
  const first = Math.floor(parseFloating(from) / DAY_MS);
  const last = Math.floor((parseFloating(to) - 1) / DAY_MS);
  if (typeof table !== "string") return { first: merge === "interval" ? first - COVERAGE_MARGIN_DAYS : first, last };
  const before = table === "derived_readiness" ? BASELINE_DAYS : 0;
  return { first: first - before - SUMMARY_MARGIN_DAYS, last: last + SUMMARY_MARGIN_DAYS };
}

/** Maximum number of groups of an aligned query in a timeframe. */
const MAX_ALIGNED_GROUPS = 20_000;

/** Whether aligning a timeframe would produce more than {@link MAX_ALIGNED_GROUPS} groups. */
export function exceedsMaxAlignedGroups({ align, group_by }: AggregationQuery, { from, to }: FloatingSpan): boolean {
  const [period] = (group_by ?? []).flatMap((item) => ("date_trunc" in item ? [item.date_trunc] : []));
  if (!align || !period) return false;
  const first = truncate(period)(parseFloating(from));
  return addPeriod(first, { ...period, value: period.value * MAX_ALIGNED_GROUPS }) < parseFloating(to);
}
