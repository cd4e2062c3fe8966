import type { IdleCost } from "./idle-cost.ts";
import { prices } from "./price-table.ts";

const dollars = (amount: number) => `$${amount.toFixed(2)}`;
const amount = (count: number) => count.toLocaleString("en-US", { maximumFractionDigits: count < 10 ? 2 : 0 });

/** Formats the idle cost as lines of a Markdown table, highest cost first. */
export function formatCostTable({ lines, list, paid }: IdleCost): string[] {
  return [
    "| What | A month | List price | After the free allowance |",
    "|---|--:|--:|--:|",
    ...lines.map(
      (line) => `| ${line.what} | ${amount(line.count)} ${line.unit} | ${dollars(line.list)} | ${dollars(line.paid)} |`,
    ),
    `| **Sum** | | **${dollars(list)}** | **${dollars(paid)}** |`,
  ];
}

/** Formats the resource types that are free while idle as lines of a Markdown table. */
export function formatFreeTable({ free }: IdleCost): string[] {
  return [
    "| Type | While idle |",
    "|---|---|",
    ...Object.entries(free).map(([type, why]) => `| \`${type}\` | ${why} |`),
  ];
}

/** Formats the sources of the prices as lines of a Markdown table. */
export function formatSourceTable(): string[] {
  const rows = Object.values(prices.prices).map(({ label, price, per, unit, free, owner, page, read }) => {
    const each = per === 1 ? unit : `${per.toLocaleString("en-US")} ${unit}`;
    const allowance = free === 0 ? "" : free.toLocaleString("en-US");
    return `| ${label} | $${price} for ${each} | ${allowance} | [AWS](${owner}) | [${new URL(page).host}](${page}) | ${read} |`;
  });
  return ["| What | Price | Free each month | Price page | Read at | On |", "|---|---|--:|---|---|---|", ...rows];
}
