import { DAY_MS } from "../shared/durations.ts";
import type { KnownResource } from "../timeseries/resources.ts";
import type { AggregationQuery, Timeframe } from "./aggregation-query.ts";
import { type MergedQuery, mayMergeByInterval } from "./evaluation/rivalry.ts";
import type { QueriedTable } from "./expressions/expression-names.ts";
import { addPeriod, formatFloating, parseFloating, truncate } from "./floating-time.ts";
import { MAX_COVERED_MS } from "./query-limits.ts";
import { BASELINE_DAYS } from "./rows/readiness-rows.ts";
import { resolveTimeseries, sampleCoverage } from "./rows/sample-rows.ts";

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

/** A range of floating-time days, counted from 1970-01-01, both inclusive, with the time to read beside it. */
export interface DaysToRead {
  readonly first: number;
  readonly last: number;
  /** Time before and after the days in which samples may cover the time of their samples, ms; 0 by default. */
  readonly beforeMs?: number;
  readonly afterMs?: number;
}

/** The source chooses the date of a sleep or workout, which lies within this many days of its index. */
const SUMMARY_MARGIN_DAYS = 8;
/** Maximum days from the first day of a period to a rival that it overlaps. A user has few cycles, so a year is cheap. */
const CYCLE_MARGIN_DAYS = 366;

/**
 * The days to read to evaluate a query over a timeframe, without older history. They include all rows that may cover
 * the time of a row of the timeframe, so that a longer timeframe gives the same results for its days.
 */
export function daysToRead(table: QueriedTable, { from, to }: FloatingSpan, query: MergedQuery): DaysToRead {
  const first = Math.floor(parseFloating(from) / DAY_MS);
  const last = Math.floor((parseFloating(to) - 1) / DAY_MS);
  if (typeof table === "string") {
    const margin = table === "menstrual_cycle" ? CYCLE_MARGIN_DAYS : SUMMARY_MARGIN_DAYS;
    const before = table === "derived_readiness" ? BASELINE_DAYS : 0;
    return { first: first - before - margin, last: last + margin };
  }
  return { first, last, ...(mayMergeByInterval(query) ? coverageMargins(resolveTimeseries(table.timeseries)) : {}) };
}

function coverageMargins(resource: KnownResource): Pick<DaysToRead, "beforeMs" | "afterMs"> {
  // The minute of a point lies within its day.
  const beforeMs = resource.kind === "interval" ? MAX_COVERED_MS : 0;
  // A sample that starts later can only take a part of an amount.
  return { beforeMs, afterMs: sampleCoverage(resource) === "amount" ? MAX_COVERED_MS : 0 };
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
