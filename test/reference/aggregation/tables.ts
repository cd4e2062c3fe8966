import { type TableName, tableColumns } from "../../../lib/domain/aggregation/columns.ts";
import type { ResolvedQuery } from "../../../lib/domain/aggregation/evaluate.ts";
import type { QueryData } from "../../../lib/domain/aggregation/rows.ts";
import { readinessRows } from "./readiness.ts";
import { type Row, rowOfSample, rowOfSummary } from "./rows.ts";

/** Flattens a query to name-value pairs, one of which names its table. */
function mentions(part: unknown): [string, unknown][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]): [string, unknown][] => [[key, value], ...mentions(value)]);
}

const isTable = (name: unknown): name is TableName => typeof name === "string" && Object.hasOwn(tableColumns, name);

/** The table of a query, or its timeseries. */
export function tableOfQuery({ select, group_by }: ResolvedQuery): TableName | { timeseries: string } {
  const said = mentions([select, group_by]);
  const timeseries = said.find(([key]) => key === "timeseries")?.[1];
  if (typeof timeseries === "string") return { timeseries };
  if (said.some(([key]) => key === "value_macro")) return "sleep";
  const table = said.map(([key, value]) => (key === "index" ? value : key)).find(isTable);
  if (!table) throw new Error("a query without a table");
  return table;
}

/** Reads all rows of a query's table. */
export function readTable(query: ResolvedQuery, data: QueryData): Row[] {
  const table = tableOfQuery(query);
  if (typeof table !== "string") {
    const samples = data.timeseries[table.timeseries] ?? [];
    return samples.map((sample) => rowOfSample(table.timeseries, sample, query.time_zone));
  }
  const rowsOf = (name: TableName) =>
    (data.summaries[name] ?? []).map((summary) => rowOfSummary(name, summary, query.time_zone));
  if (table === "derived_readiness") return readinessRows(rowsOf("sleep"), data.priorities);
  if (table !== "sleep") return rowsOf(table);
  const cycles = data.summaries.sleep_cycle ?? [];
  return rowsOf(table).map((row) => {
    const cycle = cycles.find(({ sleep_id }) => sleep_id === row.cells.id);
    return { ...row, cells: { ...row.cells, cycle } };
  });
}
