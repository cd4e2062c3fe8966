import { tableColumnTypes } from "../check-query.ts";
import { compileCondition } from "../expressions/compile-condition.ts";
import { expressionName, type QueriedTable } from "../expressions/expression-names.ts";
import type { GroupItem } from "../expressions/expressions.ts";
import { parseWhere } from "../expressions/parse-where.ts";
import { extractDatePart, parseFloating, truncate } from "../floating-time.ts";
import type { ResolvedQuery } from "../resolved-query.ts";
import type { CellReader, RowSet } from "../rows/row-set.ts";
import type { CellValue, SourcePriorities } from "../rows/rows.ts";
import { groupRows } from "./group-rows.ts";
import { mergeSources } from "./merge-sources.ts";
import { type Rivalry, resolveRivalry } from "./rivalry.ts";
import { rankRecorders, rankSources } from "./source-rank.ts";

/** A group of rows: the used rows, and the rows of competing sources that are set aside in whole or in part. */
export interface SelectedGroup {
  readonly keys: readonly CellValue[];
  readonly rows: readonly number[];
  readonly setAside: readonly number[];
}

/** The selected rows by group; one group without `group_by`. */
export interface Selection {
  readonly groups: readonly SelectedGroup[];
  readonly rankOf: (row: number) => number;
  /** The rank of a row's source, equal for its devices and apps. */
  readonly sourceRankOf: (row: number) => number;
  /** The share of each row that counts; defined when sources, or devices of one, are merged by interval. */
  readonly shares: Float64Array | undefined;
  /** How competing sources were resolved; `none` when sources are not merged. */
  readonly rule: "none" | "strict" | "interval";
}

/**
 * Selects rows: applies `where`, merging, the timeframe and grouping, then picks the best source of each group. The
 * devices and apps of one source are merged by interval under every rule, unless the group keys tell them apart.
 */
export function selectRows(
  query: ResolvedQuery,
  table: QueriedTable,
  set: RowSet,
  priorities: SourcePriorities,
): Selection {
  const ranking = rankRows(set, priorities);
  const groupItems = query.group_by ?? [];
  const rivalry = resolveRivalry(query, ranking.hasRecorders);
  const isAllowed = whereTest(query, table, set);
  const isWithin = timeframeTest(query, set);
  const shares = rivalry.merged && mergeRivals(set, filterRows(set, isAllowed), ranking, rivalry);
  const rows = filterRows(set, (row) => isWithin(row) && isAllowed(row));
  const keys = groupItems.map((item) => groupKeyReader(item, set));
  const groups = keys.length === 0 ? [{ keys: [], rows }] : groupRows(rows, keys);
  const selected = groups.map(({ keys, rows }) => {
    const { rows: used, setAside } = rivalry.rule === "strict" ? splitByBestSource(rows, ranking.sourceOf) : sole(rows);
    if (!shares) return { keys, rows: used, setAside };
    for (const row of setAside) shares[row] = 0;
    return { keys, ...splitByShare(rows, shares) };
  });
  // Drops a group that a better source covers completely.
  const filled = selected.filter((group) => group.rows.length > 0 || keys.length === 0);
  return { groups: filled, rankOf: ranking.rankOf, sourceRankOf: ranking.sourceOf, shares, rule: rivalry.rule };
}

/** The ranks of rows, 0 for the best: by source, device and app, and by source alone. */
function rankRows(set: RowSet, priorities: SourcePriorities) {
  const [ranks, sourceRanks] = [rankRecorders(set.sources, priorities), rankSources(set.sources, priorities)];
  return {
    rankOf: (row: number) => ranks[set.sourceOf[row] ?? 0] ?? 0,
    sourceOf: (row: number) => sourceRanks[set.sourceOf[row] ?? 0] ?? 0,
    /** Whether a source has several devices or apps. */
    hasRecorders: new Set(ranks).size > new Set(sourceRanks).size,
  };
}

function mergeRivals(
  set: RowSet,
  rows: readonly number[],
  { rankOf, sourceOf }: ReturnType<typeof rankRows>,
  { merged, apart }: Rivalry,
) {
  const keys = apart.map((name) => set.cell(name));
  return mergeSources(set, rows, rankOf, merged === "recorders" ? [sourceOf, ...keys] : keys);
}

const sole = (rows: readonly number[]) => ({ rows, setAside: [] });

type RowTest = (row: number) => boolean;

/** Predicate for the `where` condition. */
function whereTest({ where }: ResolvedQuery, table: QueriedTable, set: RowSet): RowTest {
  if (typeof where !== "string") return () => true;
  const types = tableColumnTypes(table);
  return compileCondition(parseWhere(where, types), types, set);
}

/** Predicate for the timeframe. */
function timeframeTest({ timeframe }: ResolvedQuery, { floating }: RowSet): RowTest {
  const [from, to] = [parseFloating(timeframe.from), parseFloating(timeframe.to)];
  return (row) => {
    const at = floating[row] as number;
    return at >= from && at < to;
  };
}

function filterRows({ count }: RowSet, isOne: RowTest): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (isOne(row)) rows.push(row);
  return rows;
}

/** The group key of each row. */
function groupKeyReader(item: GroupItem, set: RowSet): CellReader {
  if ("date_trunc" in item) {
    const group = truncate(item.date_trunc);
    return (row) => group(set.floating[row] ?? 0);
  }
  if ("date_part" in item) {
    const part = extractDatePart(item.date_part);
    return (row) => part(set.floating[row] ?? 0);
  }
  return set.cell(expressionName(item));
}

/** Splits rows into those of the best source and all others. */
function splitByBestSource(rows: readonly number[], rankOf: (row: number) => number) {
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

function splitByShare(rows: readonly number[], shares: Float64Array) {
  return {
    rows: rows.filter((row) => (shares[row] ?? 0) > 0),
    setAside: rows.filter((row) => (shares[row] ?? 0) < 1),
  };
}
