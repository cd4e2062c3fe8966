import { MINUTE_MS } from "../../shared/durations.ts";
import { MAX_COVERED_MS } from "../query-limits.ts";
import type { CellReader, RowSet } from "../rows/row-set.ts";
import { groupRows } from "./group-rows.ts";
import { IntervalSet } from "./interval-set.ts";

/**
 * Merges sources by the time they cover. From the best source to the worst, a row counts as far as no better source
 * covers its time: see {@link RowSet.coverage}. A point covers the minute it lies in.
 * @param rows the rows to merge.
 * @param apart columns, beside the kind, that rows must share to compete.
 * @returns the share of each row of the set that counts, 0 to 1; 0 for rows outside `rows`.
 */
export function mergeSources(
  set: RowSet,
  rows: readonly number[],
  rankOf: (row: number) => number,
  apart: readonly CellReader[],
): Float64Array {
  const shares = new Float64Array(set.count);
  const keys = [...apart, ...(set.kind ? [set.kind] : [])];
  const rivals = keys.length === 0 ? [rows] : groupRows(rows, keys).map((group) => group.rows);
  for (const group of rivals) mergeCompetingRows(set, group, rankOf, shares);
  return shares;
}

function mergeCompetingRows(
  set: RowSet,
  rows: readonly number[],
  rankOf: (row: number) => number,
  shares: Float64Array,
): void {
  const covered = new IntervalSet();
  for (const { rows: ofSource } of groupRows(rows, [rankOf])) {
    for (const row of ofSource) shares[row] = covered.isEmpty ? 1 : uncoveredShare(set, row, covered);
    const stretches = ofSource.map((row) => coveredInterval(set, row));
    covered.add(stretches.sort(([a], [b]) => a - b));
  }
}

/**
 * The interval that a row covers: its own, or the minute of a point. Dates are points that last a day. Beyond
 * {@link MAX_COVERED_MS} a sample covers nothing: whether a query reads its start must not change the result.
 */
export function coveredInterval({ begins, ends, coverage }: RowSet, row: number): [begin: number, end: number] {
  const begin = begins[row] ?? 0;
  const end = ends[row] ?? begin;
  if (end > begin) return [begin, coverage === "session" ? end : Math.min(end, begin + MAX_COVERED_MS)];
  const minute = Math.floor(begin / MINUTE_MS) * MINUTE_MS;
  return [minute, minute + MINUTE_MS];
}

function uncoveredShare(set: RowSet, row: number, covered: IntervalSet): number {
  const begin = set.begins[row] ?? 0;
  const end = set.ends[row] ?? begin;
  if (set.coverage === "sample" || end <= begin) return covered.has(begin) ? 0 : 1;
  const [from, to] = coveredInterval(set, row);
  const rest = 1 - covered.coveredMs(from, to) / (end - begin);
  if (set.coverage === "session") return rest >= 0.5 ? 1 : 0;
  return rest;
}
