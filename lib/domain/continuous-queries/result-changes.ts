import { isDeepStrictEqual } from "node:util";
import type { ResultRow } from "../aggregation/aligning.ts";

/** What is to be written so that stored rows become those that were computed. */
export interface ResultChanges {
  /** New rows, and rows with other values. */
  readonly set: readonly ResultRow[];
  /** Rows that are no more. */
  readonly gone: readonly ResultRow[];
}

const nameOf = ({ keys }: ResultRow) => JSON.stringify(keys);

/** What differs between rows as they were and as they are, by their group keys. */
export function changesOf(before: readonly ResultRow[], after: readonly ResultRow[]): ResultChanges {
  const known = new Map(before.map((row) => [nameOf(row), row]));
  const names = new Set(after.map(nameOf));
  return {
    set: after.filter((row) => !isDeepStrictEqual(known.get(nameOf(row))?.values, row.values)),
    gone: before.filter((row) => !names.has(nameOf(row))),
  };
}

/** A row that is no more, as its keys and nothing else. @param keyAt the key that each column shows, if it shows one. */
export function emptied({ keys }: ResultRow, keyAt: readonly (number | undefined)[]): ResultRow {
  return { keys, values: keyAt.map((place) => (place === undefined ? null : (keys[place] ?? null))) };
}
