import type { ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { SelectItem } from "../../../lib/domain/queries/expressions/expressions.ts";
import type { QueryData } from "../../../lib/domain/queries/rows/rows.ts";
import { aggregateValues } from "./aggregate-values.ts";
import { alignGroups, type GroupAnswer } from "./align-groups.ts";
import { outputName, readValue } from "./expressions.ts";
import { mergeIntervals } from "./merge-intervals.ts";
import {
  type Cell,
  type Comparison,
  compareCell,
  evaluateCondition,
  type PostfixStep,
  parsePostfix,
} from "./postfix-condition.ts";
import { readTable } from "./read-table.ts";
import { formatClock, type ReferenceRow, type TimeSpan } from "./reference-rows.ts";
import { compareSources, keepBestSource } from "./source-priorities.ts";

/** Output columns by name. */
export type ReferenceTable = Readonly<Record<string, readonly Cell[]>>;

const clock = (floating: string) => Date.parse(`${floating}Z`);

const hasOffset = (text: string) => /T.*(Z|[+-]\d\d:\d\d)$/.test(text);
const floating = (text: string) => Date.parse(text.includes("T") ? `${text}Z` : text);

/** Whether a row meets a condition. A time without an offset is compared with the user's wall clock. */
function meets(steps: readonly PostfixStep[], { cells, instants }: ReferenceRow): boolean {
  const truthOf = ({ column, operator, value }: Comparison) => {
    const instant = instants[column];
    if (instant === undefined) return compareCell((cells[column] ?? null) as Cell, operator, value);
    const text = String(value);
    const [cell, other] = hasOffset(text)
      ? [instant, Date.parse(text)]
      : [floating(String(cells[column])), floating(text)];
    return compareCell(cell, operator, other);
  };
  return evaluateCondition(steps, truthOf) === true;
}

function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

/** Evaluates a query slowly: each step creates new rows from all rows. */
export function referenceAnswer(query: ResolvedQuery, data: QueryData): ReferenceTable {
  const timeframe = { from: clock(query.timeframe.from), to: clock(query.timeframe.to) };
  const steps = query.where ? parsePostfix(query.where) : undefined;
  const matching = readTable(query, data).filter((row) => !steps || meets(steps, row));
  const groups = query.group_by ?? [];
  const sourceKeys = groups.flatMap((item) => ("source" in item ? [item.source] : []));
  const hasBothSources = sourceKeys.includes("source_provider") && sourceKeys.includes("source_type");
  const isPrioritised = groups.length > 0 && !hasBothSources;
  const isRival = (a: ReferenceRow, b: ReferenceRow) =>
    (!sourceKeys.includes("source_provider") || a.provider === b.provider) &&
    (!sourceKeys.includes("source_type") || a.type === b.type);
  const isMerged = !hasBothSources && query.merge === "interval";
  const merged = isMerged ? mergeIntervals(matching, data.priorities, isRival) : matching;
  const rows = merged.filter(({ shown }) => shown >= timeframe.from && shown < timeframe.to);
  const inOrder = rows.toSorted((a, b) => a.at - b.at || compareSources(a, b, data.priorities));
  if (groups.length === 0 && !query.select.some((item) => "func" in item)) return plainRows(query.select, inOrder);
  const answers = answerGroups(query, inOrder, (group) =>
    isPrioritised && !isMerged ? keepBestSource(group, data.priorities) : group,
  );
  return tableOf(query, fill(query, answers, timeframe));
}

function plainRows(select: readonly SelectItem[], rows: readonly ReferenceRow[]): ReferenceTable {
  return Object.fromEntries(select.map((item) => [outputName(item), rows.map((row) => readValue(item, row))]));
}

function answerGroups(
  query: ResolvedQuery,
  rows: readonly ReferenceRow[],
  keep: (group: readonly ReferenceRow[]) => readonly ReferenceRow[],
) {
  const groups = query.group_by ?? [];
  const place = groups.findIndex((item) => "date_trunc" in item);
  const keysOf = (row: ReferenceRow) => groups.map((item) => readValue(item, row));
  const byKeys = Map.groupBy(rows, (row) => JSON.stringify(keysOf(row)));
  // Without groups, all rows form one group, even if there are none.
  if (groups.length === 0 && byKeys.size === 0) byKeys.set("[]", []);
  return [...byKeys.values()].map((group): GroupAnswer => {
    const kept = keep(group);
    const keys = group[0] ? keysOf(group[0]) : [];
    const values = query.select.map((item) =>
      "func" in item
        ? aggregateValues(
            item.func,
            kept.map((row) => ({ at: row.at, value: readValue(item.arg, row) })),
          )
        : null,
    );
    return { keys, bucket: Number(keys[place] ?? 0), values };
  });
}

function fill(query: ResolvedQuery, answers: GroupAnswer[], timeframe: TimeSpan): GroupAnswer[] {
  const place = (query.group_by ?? []).findIndex((item) => "date_trunc" in item);
  const item = query.group_by?.[place];
  if (!query.align || !item || !("date_trunc" in item)) return answers;
  return alignGroups(answers, query.align, { timeframe, period: item.date_trunc, place });
}

/** Sorts groups by their keys and converts them to columns. */
function tableOf(query: ResolvedQuery, answers: readonly GroupAnswer[]): ReferenceTable {
  const groups = query.group_by ?? [];
  const inOrder = answers.toSorted(
    (a, b) => a.keys.map((key, index) => compareCells(key, b.keys[index] ?? null)).find((order) => order !== 0) ?? 0,
  );
  const keyColumn = (index: number): [string, Cell[]] => [
    `group_key.${index}`,
    inOrder.map(({ keys }) => {
      const key = keys[index] ?? null;
      return "date_trunc" in (groups[index] ?? {}) ? formatClock(Number(key)) : key;
    }),
  ];
  const columns = query.select.flatMap((item, place): [string, Cell[]][] => {
    if (!("group_key" in item)) return [[outputName(item), inOrder.map(({ values }) => values[place] ?? null)]];
    return item.group_key === "*" ? groups.map((_, index) => keyColumn(index)) : [keyColumn(item.group_key)];
  });
  return Object.fromEntries(columns);
}
