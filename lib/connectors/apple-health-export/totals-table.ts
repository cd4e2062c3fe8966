import { type Ledger, sumOf } from "./ledger.ts";

/** Formats the totals of an import as a text table. */
export function totalsTable(ledger: Ledger): string {
  const rows: [label: string, count: number][] = [
    ["Read", ledger.read],
    ["Derived summaries (sleep, profile)", ledger.derived],
    ["Stored", ledger.stored],
    ["Updated (value changed)", ledger.updated],
    ["Unchanged", ledger.unchanged],
    ["Rejected", sumOf(ledger.rejected)],
    ...byCount(ledger.rejected),
    ...(ledger.dropped.size > 0 ? [["Fields left out of records", sumOf(ledger.dropped)] as [string, number]] : []),
    ...byCount(ledger.dropped),
    ["Not imported", sumOf(ledger.leftOut)],
    ...byCount(ledger.leftOut),
  ];
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const countWidth = Math.max(...rows.map(([, count]) => format(count).length));
  return rows.map(([label, count]) => `${label.padEnd(labelWidth)}  ${format(count).padStart(countWidth)}`).join("\n");
}

const format = (count: number): string => count.toLocaleString("en");

const byCount = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => [`  ${reason}`, count]);
