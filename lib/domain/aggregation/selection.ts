import { columnsOfTable } from "./check-query.ts";
import { holds } from "./condition.ts";
import { nameOf, type QueriedTable } from "./expression-names.ts";
import type { GroupItem } from "./expressions.ts";
import { parseFloating, partOf, truncate } from "./floating-time.ts";
import { groupRows } from "./grouping.ts";
import { mergedShares } from "./merging.ts";
import type { ResolvedQuery } from "./resolved-query.ts";
import type { Cell, RowSet } from "./row-set.ts";
import type { SourcePriorities, Value } from "./rows.ts";
import { ranksOf } from "./source-rank.ts";
import { parseWhere } from "./where.ts";

/** A group of rows: the used rows, and the rows of competing sources that are set aside in whole or in part. */
export interface SelectedGroup {
  readonly keys: readonly Value[];
  readonly rows: readonly number[];
  readonly setAside: readonly number[];
}

/** The selected rows by group; one group without `group_by`. */
export interface Selection {
  readonly groups: readonly SelectedGroup[];
  readonly rankOf: (row: number) => number;
  /** The share of each row that counts; defined when sources are merged by interval. */
  readonly shares: Float64Array | undefined;
  /** How competing sources were resolved; `none` when sources are not merged. */
  readonly rule: "none" | "strict" | "interval";
}

/** Selects rows: applies `where`, merging, the timeframe and grouping, then picks the best source of each group. */
export function selectRows(
  query: ResolvedQuery,
  table: QueriedTable,
  set: RowSet,
  priorities: SourcePriorities,
): Selection {
  const ranks = ranksOf(set.sources, priorities);
  const rankOf = (row: number) => ranks[set.sourceOf[row] ?? 0] ?? 0;
  const groupItems = query.group_by ?? [];
  const apart = groupItems.map(nameOfKey).filter((name) => name === "source_provider" || name === "source_type");
  const rule = ruleOf(query, new Set(apart).size === 2);
  const isAllowed = allowing(query, table, set);
  const isWithin = within(query, set);
  const shares = rule === "interval" ? sharesOf(set, rowsOf(set, isAllowed), rankOf, apart) : undefined;
  const rows = rowsOf(set, (row) => isWithin(row) && isAllowed(row));
  const keys = groupItems.map((item) => keyCell(item, set));
  const groups = keys.length === 0 ? [{ keys: [], rows }] : groupRows(rows, keys);
  const selected = groups.map(({ keys, rows }) => {
    if (rule === "strict") return { keys, ...bestOf(rows, rankOf) };
    return shares ? { keys, ...counting(rows, shares) } : { keys, rows, setAside: [] };
  });
  // Drops a group that a better source covers completely.
  return { groups: selected.filter((group) => group.rows.length > 0 || keys.length === 0), rankOf, shares, rule };
}

function ruleOf({ merge, group_by }: ResolvedQuery, isSideBySide: boolean): Selection["rule"] {
  if (isSideBySide) return "none";
  if (merge === "interval") return "interval";
  return group_by?.length ? "strict" : "none";
}

const sharesOf = (set: RowSet, rows: readonly number[], rankOf: (row: number) => number, apart: readonly string[]) =>
  mergedShares(
    set,
    rows,
    rankOf,
    apart.map((name) => set.cell(name)),
  );

const nameOfKey = (item: GroupItem) => ("date_trunc" in item || "date_part" in item ? "" : nameOf(item));

type RowTest = (row: number) => boolean;

/** Predicate for the `where` condition. */
function allowing({ where }: ResolvedQuery, table: QueriedTable, set: RowSet): RowTest {
  if (typeof where !== "string") return () => true;
  const types = columnsOfTable(table);
  return holds(parseWhere(where, types), types, set);
}

/** Predicate for the timeframe. */
function within({ timeframe }: ResolvedQuery, { floating }: RowSet): RowTest {
  const [from, to] = [parseFloating(timeframe.from), parseFloating(timeframe.to)];
  return (row) => {
    const at = floating[row] as number;
    return at >= from && at < to;
  };
}

function rowsOf({ count }: RowSet, isOne: RowTest): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (isOne(row)) rows.push(row);
  return rows;
}

/** The group key of each row. */
function keyCell(item: GroupItem, set: RowSet): Cell {
  if ("date_trunc" in item) {
    const group = truncate(item.date_trunc);
    return (row) => group(set.floating[row] ?? 0);
  }
  if ("date_part" in item) {
    const part = partOf(item.date_part);
    return (row) => part(set.floating[row] ?? 0);
  }
  return set.cell(nameOf(item));
}

/** Splits rows into those of the best source and all others. */
function bestOf(rows: readonly number[], rankOf: (row: number) => number) {
  let best = Number.POSITIVE_INFINITY;
  let worst = 0;
  for (const row of rows) {
    const rank = rankOf(row);
    if (rank < best) best = rank;
    if (rank > worst) worst = rank;
  }
  // Most groups have one source; skip the filters.
  if (best >= worst) return { rows, setAside: [] };
  return { rows: rows.filter((row) => rankOf(row) === best), setAside: rows.filter((row) => rankOf(row) !== best) };
}

function counting(rows: readonly number[], shares: Float64Array) {
  return {
    rows: rows.filter((row) => (shares[row] ?? 0) > 0),
    setAside: rows.filter((row) => (shares[row] ?? 0) < 1),
  };
}
