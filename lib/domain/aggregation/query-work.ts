import type { AggregationQuery } from "./query.ts";

/** Rows that one query looks at, at most: what fits into memory. */
export const MOST_SAMPLES = 2_000_000;
/** Values that all queries of a request look at together: rows, each as often as something of it is read or grouped by. */
export const MOST_VALUES = 10_000_000;
/** The same where rows are explained, which looks at each of them many times and tells of every group. */
export const MOST_EXPLAINED_VALUES = 600_000;
/** Groups that one query has explained at most: the minutes of a day. An explanation takes about a kilobyte. */
export const MOST_EXPLAINED_GROUPS = 1_500;

/** How often a query looks at each row: for its time and its source, each column, each group, and each comparison. */
export function looksAtRow({ select, group_by, where }: AggregationQuery): number {
  const compared = typeof where === "string" ? (where.match(/[<>=]+/g)?.length ?? 0) : 0;
  return 1 + select.length + (group_by?.length ?? 0) + compared;
}

/** How many rows a query may look at when so many values may still be. */
export const mostRows = (query: AggregationQuery, values: number): number =>
  Math.min(MOST_SAMPLES, Math.floor(values / looksAtRow(query)));
