import type { AggregationQuery } from "./query.ts";

/** Maximum number of rows that one query reads, bounded by memory. */
export const MOST_SAMPLES = 2_000_000;
/**
 * Maximum number of values that all queries of a request read: rows times the columns, groups and comparisons that use
 * them.
 */
export const MOST_VALUES = 10_000_000;
/** Lower limit for explained queries, which read each row many times and describe every group. */
export const MOST_EXPLAINED_VALUES = 600_000;
/** Maximum number of groups that one query explains: the minutes of a day. One explanation takes about 1 KB. */
export const MOST_EXPLAINED_GROUPS = 1_500;

/** Values that a query reads per row: time and source, each column, each group and each comparison. */
export function looksAtRow({ select, group_by, where }: AggregationQuery): number {
  const compared = typeof where === "string" ? (where.match(/[<>=]+/g)?.length ?? 0) : 0;
  return 1 + select.length + (group_by?.length ?? 0) + compared;
}

/** Maximum number of rows that a query may read with `values` left in its budget. */
export const mostRows = (query: AggregationQuery, values: number): number =>
  Math.min(MOST_SAMPLES, Math.floor(values / looksAtRow(query)));
