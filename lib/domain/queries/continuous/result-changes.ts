import { isDeepStrictEqual } from "node:util";
import type { ResultRow } from "../evaluation/align-rows.ts";

/** The writes that turn stored rows into computed rows. */
export interface ResultChanges {
  /** New rows and rows with changed values. */
  readonly set: readonly ResultRow[];
  /** Rows that no longer exist. */
  readonly deleted: readonly ResultRow[];
}

const rowKey = ({ keys }: ResultRow) => JSON.stringify(keys);

/** Compares stored rows with computed rows by their group keys. */
export function diffResultRows(before: readonly ResultRow[], after: readonly ResultRow[]): ResultChanges {
  const known = new Map(before.map((row) => [rowKey(row), row]));
  const names = new Set(after.map(rowKey));
  return {
    set: after.filter((row) => !isDeepStrictEqual(known.get(rowKey(row))?.values, row.values)),
    deleted: before.filter((row) => !names.has(rowKey(row))),
  };
}

/**
 * A deleted row: its group keys, with null for all other columns.
 * @param keyAt for each column, the index of the key it shows, or undefined.
 */
export function toDeletedRow({ keys }: ResultRow, keyAt: readonly (number | undefined)[]): ResultRow {
  return { keys, values: keyAt.map((place) => (place === undefined ? null : (keys[place] ?? null))) };
}
