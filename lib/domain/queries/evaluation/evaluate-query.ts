import { floatingTimeConverter } from "../../shared/local-day.ts";
import { type CheckedQuery, checkQuery } from "../check-query.ts";
import type { QueriedTable } from "../expressions/expression-names.ts";
import { formatFloating, parseFloating, truncate } from "../floating-time.ts";
import type { ResolvedQuery } from "../resolved-query.ts";
import { queriedRows } from "../rows/queried-rows.ts";
import type { RowSet } from "../rows/row-set.ts";
import type { CellValue, QueryData, SourcePriorities } from "../rows/rows.ts";
import type { ColumnType } from "../tables/columns.ts";
import { aggregate, NumberColumn } from "./aggregates.ts";
import { alignRows, type ResultRow } from "./align-rows.ts";
import { compareGroupKeys } from "./group-rows.ts";
import { selectCellReader } from "./select-cell-reader.ts";
import { type SelectedGroup, type Selection, selectRows } from "./select-rows.ts";

export type { ResolvedQuery } from "../resolved-query.ts";

/** Output columns by name in `select` order, all of equal length. */
export type ResultTable = Record<string, CellValue[]>;

/**
 * Evaluates a query that {@link checkQuery} accepts.
 * @throws Error for an invalid query.
 */
export function evaluateQuery(query: ResolvedQuery, data: QueryData): ResultTable {
  const checked = requireValidQuery(query);
  const set = queriedRows(checked.table, data, floatingTimeConverter(query.time_zone));
  return evaluateRows(query, checked, set, data.priorities);
}

/**
 * Checks a query.
 * @throws Error listing the problems of an invalid query.
 */
function requireValidQuery(query: ResolvedQuery): CheckedQuery {
  const checked = checkQuery(query);
  if (!("columns" in checked)) throw new Error(checked.map(({ message }) => message).join("; "));
  return checked;
}

/** Evaluates a checked query over loaded rows. */
export function evaluateRows(
  query: ResolvedQuery,
  checked: CheckedQuery,
  set: RowSet,
  priorities: SourcePriorities,
): ResultTable {
  const selection = selectRows(query, checked.table, set, priorities);
  return toResultTable(resultRows(query, set, selection), checked.columns);
}

/** The result rows in order: groups by their keys, plain rows by time. */
function resultRows(query: ResolvedQuery, set: RowSet, selection: Selection): ResultRow[] {
  const isAggregate = query.group_by?.length || query.select.some((item) => "func" in item);
  return isAggregate
    ? fillEmptyGroups(evaluateGroupRows(query, set, selection), query)
    : ungroupedRows(query, set, selection);
}

/** The groups of a query before empty ones are filled. */
export function evaluateGroups(
  query: ResolvedQuery,
  table: QueriedTable,
  set: RowSet,
  priorities: SourcePriorities,
): ResultRow[] {
  return evaluateGroupRows(query, set, selectRows(query, table, set, priorities));
}

function evaluateGroupRows(query: ResolvedQuery, set: RowSet, selection: Selection): ResultRow[] {
  const inOnePiece = selection.shares ? () => undefined : numberColumns(set);
  const columns = query.select.flatMap((item) => compileOutputs(item, query, set, selection, inOnePiece));
  return selection.groups.map((group) => ({ keys: group.keys, values: columns.map((column) => column(group)) }));
}

type Output = (group: SelectedGroup) => CellValue;

/** Output columns of one select item in a grouped query. */
function compileOutputs(
  item: ResolvedQuery["select"][number],
  query: ResolvedQuery,
  set: RowSet,
  selection: Selection,
  inOnePiece: (item: object) => NumberColumn | undefined,
): Output[] {
  if ("group_key" in item) {
    const places = item.group_key === "*" ? (query.group_by ?? []).map((_, place) => place) : [item.group_key];
    return places.map((place) => (group) => group.keys[place] ?? null);
  }
  if (!("func" in item)) throw new Error("selected beside groups");
  const { func } = item;
  const numbers = func === "oldest" || func === "newest" ? undefined : inOnePiece(item.arg);
  if (numbers) return [({ rows }) => numbers.aggregate(func as Parameters<typeof numbers.aggregate>[0], rows)];
  const cell = selectCellReader(item.arg, set, selection.shares);
  const order = { instants: set.instants, rankOf: selection.rankOf };
  return [(group) => aggregate(func, cell, group.rows, order)];
}

/** Returns selected timeseries fields as arrays where the row set stores them so. */
function numberColumns(set: RowSet): (item: object) => NumberColumn | undefined {
  const made = new Map<string, NumberColumn | undefined>();
  return (item) => {
    if (!("timeseries" in item && "field" in item)) return undefined;
    const name = String(item.field);
    if (!made.has(name)) {
      const numbers = set.numbers?.(name);
      made.set(name, numbers && new NumberColumn(numbers));
    }
    return made.get(name);
  };
}

function ungroupedRows(query: ResolvedQuery, set: RowSet, { groups, rankOf, shares }: Selection): ResultRow[] {
  const cells = query.select.flatMap((item) =>
    "group_key" in item || "func" in item ? [] : [selectCellReader(item, set, shares)],
  );
  const order = (row: number) => [set.instants[row] ?? 0, rankOf(row)];
  const rows = groups.flatMap((group) => group.rows).toSorted((a, b) => compareGroupKeys(order(a), order(b)));
  return rows.map((row) => ({ keys: [], values: cells.map((cell) => cell(row)) }));
}

/** Fills empty time groups as `align` says. Selected group keys are copied into the values of added rows. */
export function fillEmptyGroups(rows: readonly ResultRow[], query: ResolvedQuery): ResultRow[] {
  const groups = query.group_by ?? [];
  const time = groups.findIndex((item) => "date_trunc" in item);
  const truncated = groups[time];
  if (!query.align || !truncated || !("date_trunc" in truncated)) return [...rows];
  const { timeframe, now = timeframe.to } = query;
  const period = truncated.date_trunc;
  const group = truncate(period);
  const end = Math.min(parseFloating(timeframe.to), parseFloating(now));
  const limits = { first: group(parseFloating(timeframe.from)), last: group(end - 1) };
  const keyAt = groupKeyIndexes(query);
  return alignRows(rows, { align: query.align, period, time, ...limits }).map(({ keys, values }) => {
    return { keys, values: values.map((value, at) => (keyAt[at] === undefined ? value : (keys[keyAt[at]] ?? null))) };
  });
}

/** For each output column, the index of the group key it shows, or undefined. */
export function groupKeyIndexes({
  select,
  group_by,
}: Pick<ResolvedQuery, "select" | "group_by">): (number | undefined)[] {
  return select.flatMap((item) => {
    if (!("group_key" in item)) return [undefined];
    return item.group_key === "*" ? (group_by ?? []).map((_, place) => place) : [item.group_key];
  });
}

/** Transposes rows into the column-by-column form of the answer. */
export function toResultTable(rows: readonly ResultRow[], columns: Readonly<Record<string, ColumnType>>): ResultTable {
  const entries = Object.entries(columns).map(([name, type], at) => {
    return [name, rows.map(({ values }) => formatCell(values[at] ?? null, type))] as const;
  });
  return Object.fromEntries(entries);
}

const formatCell = (value: CellValue, type: ColumnType): CellValue =>
  type === "instant" && typeof value === "number" ? formatFloating(value) : value;
