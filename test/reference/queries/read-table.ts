import type { ResolvedQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { QueryData } from "../../../lib/domain/queries/rows/rows.ts";
import { type TableName, tableColumns } from "../../../lib/domain/queries/tables/columns.ts";
import { readinessRows } from "./readiness.ts";
import { type ReferenceRow, toReferenceSample, toReferenceSummary } from "./reference-rows.ts";

/** Flattens a query to name-value pairs, one of which names its table. */
function mentions(part: unknown): [string, unknown][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]): [string, unknown][] => [[key, value], ...mentions(value)]);
}

const isTable = (name: unknown): name is TableName => typeof name === "string" && Object.hasOwn(tableColumns, name);

/** The table of a query, or its timeseries. */
function tableOfQuery({ select, group_by }: ResolvedQuery): TableName | { timeseries: string } {
  const said = mentions([select, group_by]);
  const timeseries = said.find(([key]) => key === "timeseries")?.[1];
  if (typeof timeseries === "string") return { timeseries };
  if (said.some(([key]) => key === "value_macro")) return "sleep";
  const table = said.map(([key, value]) => (key === "index" ? value : key)).find(isTable);
  if (!table) throw new Error("a query without a table");
  return table;
}

/** Reads all rows of a query's table. */
export function readTable(query: ResolvedQuery, data: QueryData): ReferenceRow[] {
  const table = tableOfQuery(query);
  if (typeof table !== "string") {
    const samples = data.timeseries[table.timeseries] ?? [];
    return samples.map((sample) => toReferenceSample(table.timeseries, sample, query.time_zone));
  }
  const rowsOf = (name: TableName) =>
    (data.summaries[name] ?? []).map((summary) => toReferenceSummary(name, summary, query.time_zone));
  if (table === "derived_readiness") return readinessRows(rowsOf("sleep"), data.priorities);
  if (table !== "sleep") return rowsOf(table);
  const cycles = data.summaries.sleep_cycle ?? [];
  return rowsOf(table).map((row) => {
    const cycle = cycles.find(({ sleep_id }) => sleep_id === row.cells.id);
    return { ...row, cells: { ...row.cells, cycle } };
  });
}
