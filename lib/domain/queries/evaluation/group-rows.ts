import type { CellReader } from "../rows/row-set.ts";
import type { CellValue } from "../rows/rows.ts";

/** Rows with equal group keys. */
export interface Group {
  readonly keys: readonly CellValue[];
  readonly rows: readonly number[];
}

interface MutableGroup extends Group {
  readonly rows: number[];
}
type Level = Map<CellValue, Level | MutableGroup>;

/** Groups rows by their key columns and sorts the groups by key. */
export function groupRows(rows: Iterable<number>, keys: readonly CellReader[]): Group[] {
  const root: Level = new Map();
  const groups: MutableGroup[] = [];
  const [first] = keys;
  let last: MutableGroup | undefined;
  for (const row of rows) {
    const key = first?.(row) ?? null;
    // Rows mostly come in time order, so most belong to the group of the previous row.
    if (!last || keys.length !== 1 || key !== last.keys[0]) {
      const found = keys.length === 1 ? [key] : keys.map((one) => one(row));
      last = findLeaf(root, found) ?? addLeaf(root, found, groups);
    }
    last.rows.push(row);
  }
  return groups.sort((a, b) => compareGroupKeys(a.keys, b.keys));
}

function findLeaf(root: Level, keys: readonly CellValue[]): MutableGroup | undefined {
  let level: Level | MutableGroup | undefined = root;
  for (const key of keys) {
    if (!(level instanceof Map)) return undefined;
    level = level.get(key);
  }
  return level instanceof Map ? undefined : level;
}

function addLeaf(root: Level, keys: readonly CellValue[], groups: MutableGroup[]): MutableGroup {
  const group: MutableGroup = { keys, rows: [] };
  groups.push(group);
  let level = root;
  for (const key of keys.slice(0, -1)) {
    const next: Level | MutableGroup = level.get(key) ?? new Map();
    level.set(key, next);
    level = next as Level;
  }
  level.set(keys.at(-1) ?? null, group);
  return group;
}

/** Orders by the first differing key; null sorts last. */
export function compareGroupKeys(a: readonly CellValue[], b: readonly CellValue[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? null;
    if (one === other) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -1 : 1;
  }
  return 0;
}
