import { type ImportTotals, sumCounts } from "./import-totals.ts";

/** Formats the totals of an import as a text table. */
export function formatTotalsTable(ledger: ImportTotals): string {
  const rows: [label: string, count: number][] = [
    ["Read", ledger.read],
    ["Derived summaries", ledger.derived],
    ["Stored", ledger.stored],
    ["Updated (value changed)", ledger.updated],
    ["Unchanged", ledger.unchanged],
    ["Rejected", sumCounts(ledger.rejected)],
    ...rowsByCount(ledger.rejected),
    ...(ledger.dropped.size > 0 ? [["Fields left out of records", sumCounts(ledger.dropped)] as [string, number]] : []),
    ...rowsByCount(ledger.dropped),
    ["Not imported", sumCounts(ledger.leftOut)],
    ...rowsByCount(ledger.leftOut),
  ];
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const countWidth = Math.max(...rows.map(([, count]) => formatCount(count).length));
  return rows
    .map(([label, count]) => `${label.padEnd(labelWidth)}  ${formatCount(count).padStart(countWidth)}`)
    .join("\n");
}

/** Formats the first refused records of each reason and the first damaged files, one a line; empty without any. */
export function formatExamples({ examples, damaged }: ImportTotals): string {
  const files = damaged.map(({ path, detail }) => `  ${path}: ${detail}`);
  const lines = [...examples.entries()].flatMap(([reason, records]) => [
    `  ${reason}`,
    ...records.map(({ place, request, detail }) => `    ${place}, request ${request}: ${detail}`),
  ]);
  return [...titled("First rejected records of each reason", lines), ...titled("First damaged files", files)].join(
    "\n",
  );
}

const titled = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines] : []);

const formatCount = (count: number): string => count.toLocaleString("en");

const rowsByCount = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => [`  ${reason}`, count]);
