import { type Ledger, sumOf } from "./ledger.ts";

/** The totals of an import as lines for people: what was read, and where each of it is. */
export function totalsTable(ledger: Ledger): string {
  const rows: [label: string, count: number][] = [
    ["Read", ledger.read],
    ["Summaries made (sleep, profile)", ledger.derived],
    ["Stored", ledger.stored],
    ["Updated (other value before)", ledger.updated],
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
