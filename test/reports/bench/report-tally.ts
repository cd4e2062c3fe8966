import type { TruthMetadata } from "../content/report-truth.ts";
import {
  isFullyCorrect,
  isWrongButConfident,
  type ReportScore,
  type ScoredField,
  scoredFields,
} from "./score-report.ts";

/** The totals over all reports of one kind. */
export class ReportTally {
  documents = 0;
  unread = 0;
  pages = 0;
  seconds = 0;
  /** Peak memory of the process during parsing, bytes. */
  peak = 0;
  rows = 0;
  right = 0;
  wrongConfident = 0;
  confident = 0;
  loincRight = 0;
  missing = 0;
  invented = 0;
  readonly byField = new Map<ScoredField, number>(scoredFields.map((field) => [field, 0]));
  readonly byMetadata = new Map<keyof TruthMetadata, number>();

  add({ rows, wrongMetadata }: ReportScore): void {
    this.documents += 1;
    for (const row of rows) {
      if (row.truth !== null) this.rows += 1;
      if (row.truth === null) this.invented += 1;
      if (row.read === null) this.missing += 1;
      if (isFullyCorrect(row)) this.right += 1;
      if (row.isConfident) this.confident += 1;
      if (isWrongButConfident(row)) this.wrongConfident += 1;
      if (row.isLoincRight) this.loincRight += 1;
      for (const field of row.wrong) this.byField.set(field, (this.byField.get(field) ?? 0) + 1);
    }
    for (const name of wrongMetadata) this.byMetadata.set(name, (this.byMetadata.get(name) ?? 0) + 1);
  }
}

const percent = (part: number, all: number) => (all === 0 ? "-" : `${((100 * part) / all).toFixed(2)} %`);
const MEGABYTE = 1_000_000;

/** Formats the tallies as a table for a terminal, one column per kind. */
export function formatTallies(tallies: ReadonlyMap<string, ReportTally>): string {
  const all = [...tallies.values()];
  const metadata = [...new Set(all.flatMap(({ byMetadata }) => [...byMetadata.keys()]))];
  const lines: (readonly [string, (tally: ReportTally) => string | number])[] = [
    ["documents", ({ documents }) => documents],
    ["documents not read", ({ unread }) => unread],
    ["pages", ({ pages }) => pages],
    ["rows", ({ rows }) => rows],
    ["fully right", ({ right, rows }) => percent(right, rows)],
    ["confident", ({ confident, rows }) => percent(confident, rows)],
    ["wrong but confident", ({ wrongConfident, rows }) => percent(wrongConfident, rows)],
    ["LOINC right", ({ loincRight, rows }) => percent(loincRight, rows)],
    ["rows missing", ({ missing }) => missing],
    ["rows invented", ({ invented }) => invented],
    ...scoredFields.map((field) => [`wrong ${field}`, ({ byField }: ReportTally) => byField.get(field) ?? 0] as const),
    ...metadata.map(
      (name) => [`documents with wrong ${name}`, ({ byMetadata }: ReportTally) => byMetadata.get(name) ?? 0] as const,
    ),
    ["seconds per page", ({ seconds, pages }) => (seconds / Math.max(1, pages)).toFixed(2)],
    ["peak memory", ({ peak }) => `${Math.round(peak / MEGABYTE)} MB`],
  ];
  const table = [
    ["", ...tallies.keys()],
    ...lines.map(([label, of]) => [label, ...all.map((tally) => String(of(tally)))]),
  ];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const aligned = (line: string[]) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  return table.map(aligned).join("\n");
}
