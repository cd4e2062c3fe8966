import { compareText } from "../shared/compare-text.ts";
import type { LakeCell, LakeRow } from "./lake-column.ts";
import type { LakeTable } from "./lake-tables.ts";

/** Keeps the latest version of each record, and sorts the rows by key, so that rows of one user lie together. */
export function latestRows({ key, order }: LakeTable, rows: readonly LakeRow[]): LakeRow[] {
  const byKey = new Map<string, LakeRow>();
  for (const row of rows) {
    const id = JSON.stringify(key.map((name) => row[name] ?? null));
    const known = byKey.get(id);
    if (!known || compareRows(order, known, row) <= 0) byKey.set(id, row);
  }
  return [...byKey.values()].sort((a, b) => compareRows(key, a, b));
}

function compareRows(names: readonly string[], a: LakeRow, b: LakeRow): number {
  for (const name of names) {
    const difference = compareCells(a[name] ?? null, b[name] ?? null);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares cells of one column; null comes first. */
function compareCells(a: LakeCell, b: LakeCell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}
