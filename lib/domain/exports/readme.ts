import type { TimeseriesResource } from "../timeseries/resource.ts";
import { exportColumns } from "./columns.ts";

const kinds = {
  instant: "Timestamp in milliseconds",
  number: "Double",
  integer: "Integer",
  text: "Text",
  texts: "List of texts",
} as const;

/** `README.txt` of an export: what its files hold, column by column. */
export function exportReadme(resources: readonly TimeseriesResource[], summaries: readonly string[]): string {
  const samples = resources.map((resource) => `\n${resource.name}.parquet\n${tableOf(resource)}`);
  const [example = "steps"] = resources.map(({ name }) => name);
  return `The health data of one user.

user.json       the user and its connected sources
*.json          summaries, a list for each kind that there is: ${summaries.join(", ") || "none"}
*.parquet       samples, a table for each timeseries that there is: ${resources.map(({ name }) => name).join(", ") || "none"}
manifest.json   size, SHA-256 and number of records of every other file

The tables open in DuckDB and in everything else that reads Parquet:

  SELECT * FROM '${example}.parquet' ORDER BY start;

Rows stand in order of time for each source (provider and source_type), and roughly so as a whole.
"end" is a word of SQL and wants quotes.
${samples.join("")}`;
}

function tableOf(resource: TimeseriesResource): string {
  const lines = exportColumns(resource).map(({ name, kind, isNullable, meaning }) => {
    return `  ${name.padEnd(16)} ${meaning}. ${kinds[kind]}${isNullable ? " or null" : ""}\n`;
  });
  return lines.join("");
}
