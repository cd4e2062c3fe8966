import { HOUR_MS } from "../shared/durations.ts";
import type { AggregationQuery } from "./aggregation-query.ts";

/** Maximum number of rows that one query reads, bounded by memory. */
export const MAX_ROWS_PER_QUERY = 2_000_000;
/**
 * Maximum number of values that all queries of a request read: rows times the columns, groups and comparisons that use
 * them.
 */
export const MAX_VALUES_PER_REQUEST = 10_000_000;
/** Lower limit for explained queries, which read each row many times and describe every group. */
export const MAX_EXPLAINED_VALUES_PER_REQUEST = 600_000;
/** Maximum number of groups that one query explains: the minutes of a day. One explanation takes about 1 KB. */
export const MAX_EXPLAINED_GROUPS_PER_QUERY = 1_500;

/**
 * Time from its start for which an interval sets samples of other sources aside, ms: the longest day, so that it holds
 * a source's total of a day. Queries read this much beside their timeframe, so more makes all of them slower.
 */
export const MAX_COVERED_MS = 25 * HOUR_MS;

/** Values that a query reads per row: time and source, each column, each group and each comparison. */
export function valuesPerRow({ select, group_by, where }: AggregationQuery): number {
  const compared = typeof where === "string" ? (where.match(/[<>=]+/g)?.length ?? 0) : 0;
  return 1 + select.length + (group_by?.length ?? 0) + compared;
}

/** Maximum number of rows that a query may read with `values` left in its budget. */
export const maxRows = (query: AggregationQuery, values: number): number =>
  Math.min(MAX_ROWS_PER_QUERY, Math.floor(values / valuesPerRow(query)));
