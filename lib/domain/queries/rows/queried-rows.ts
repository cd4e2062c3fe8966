import type { ToFloatingTime } from "../../shared/local-day.ts";
import { rankSources } from "../evaluation/source-rank.ts";
import type { QueriedTable } from "../expressions/expression-names.ts";
import { type Night, readinessRows } from "./readiness-rows.ts";
import type { RowSet } from "./row-set.ts";
import type { QueryData, SummaryRow } from "./rows.ts";
import { sampleRows } from "./sample-rows.ts";
import { summaryRows } from "./summary-rows.ts";

/** The rows of the queried table. */
export function queriedRows(table: QueriedTable, data: QueryData, floatingOf: ToFloatingTime): RowSet {
  if (typeof table !== "string") {
    return sampleRows(table.timeseries, data.timeseries[table.timeseries] ?? [], floatingOf);
  }
  const { sleep = [], sleep_cycle = [] } = data.summaries;
  if (table === "derived_readiness")
    return summaryRows(table, readinessRows(selectNights(data, floatingOf)), floatingOf);
  if (table === "sleep") return summaryRows(table, sleep, floatingOf, sleep_cycle);
  return summaryRows(table, data.summaries[table] ?? [], floatingOf);
}

/** The long sleep of each date: the best source's; among several of one source the longest, then the earliest. */
function selectNights(data: QueryData, floatingOf: ToFloatingTime): Night[] {
  const long = (data.summaries.sleep ?? []).filter(({ type }) => type === "long_sleep");
  const set = summaryRows("sleep", long, floatingOf);
  const ranks = rankSources(set.sources, data.priorities);
  const merit = (row: number) => [
    ranks[set.sourceOf[row] ?? 0] ?? 0,
    -Number(long[row]?.total ?? 0),
    set.begins[row] ?? 0,
  ];
  const best = new Map<string, number>();
  for (const [row, { calendar_date }] of long.entries()) {
    const date = String(calendar_date);
    const other = best.get(date);
    if (other === undefined || isLess(merit(row), merit(other))) best.set(date, row);
  }
  const chronotype = set.cell("chronotype");
  return [...best].map(([date, row]) => ({ date, row: long[row] as SummaryRow, chronotype: chronotype(row) }));
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((one, at) => one !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}
