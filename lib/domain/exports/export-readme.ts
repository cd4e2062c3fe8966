import type { TimeseriesResource } from "../timeseries/resource.ts";
import { exportColumns } from "./export-columns.ts";

const kinds = {
  instant: "Timestamp in milliseconds",
  number: "Double",
  integer: "Integer",
  text: "Text",
  texts: "List of texts",
} as const;

/** `README.txt` of an export: describes its files column by column. */
export function exportReadme(resources: readonly TimeseriesResource[], summaries: readonly string[]): string {
  const samples = resources.map((resource) => `\n${resource.name}.parquet\n${describeTable(resource)}`);
  const [example = "steps"] = resources.map(({ name }) => name);
  return `The health data of one user.

user.json       the user and its connected sources
*.json          summaries, one list per kind: ${summaries.join(", ") || "none"}
*.parquet       samples, one table per timeseries: ${resources.map(({ name }) => name).join(", ") || "none"}
manifest.json   size, SHA-256 and number of records of every other file

DuckDB and every other Parquet reader opens the tables:

  SELECT * FROM '${example}.parquet' ORDER BY start;

Rows of each source (provider, source_type, device_id and app_id) are in time order; the whole table is roughly so.
"end" is an SQL keyword and needs quotes.
${samples.join("")}`;
}

function describeTable(resource: TimeseriesResource): string {
  const lines = exportColumns(resource).map(({ name, kind, isNullable, meaning }) => {
    return `  ${name.padEnd(16)} ${meaning}. ${kinds[kind]}${isNullable ? " or null" : ""}\n`;
  });
  return lines.join("");
}
