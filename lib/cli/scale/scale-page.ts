import { replaceSection } from "../replace-section.ts";
import type { AccessCounts } from "./access-counts.ts";
import { listFunctionLoads, listQueueLoads } from "./function-load.ts";
import { type KeyHeat, listKeyHeat, usersAtLimit } from "./key-heat.ts";
import { computeMonthlyCost } from "./monthly-cost.ts";
import { listReachedLimits } from "./quota-order.ts";
import { SCALES, usersOfBusiestTeam } from "./stated-load.ts";
import { listTableLoads } from "./table-load.ts";

const markers = { start: "<!-- scale: written by npx tributary scale --write -->", end: "<!-- end of scale -->" };
/** Keys that the page shows, of each scope. */
const SHOWN_KEYS = 6;
/** Time for which consumers stop in the table of queues. */
const STOP_S = 900;
const GB = 2 ** 30;

const number = (count: number, digits = 0): string =>
  count.toLocaleString("en-US", { maximumFractionDigits: count < 10 ? Math.max(1, digits) : digits });
const dollars = (amount: number): string => `$${number(amount)}`;
const users = (count: number | undefined): string => (count === undefined ? "" : number(Number(count.toPrecision(2))));
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [`| ${head.join(" | ")} |`, `|${head.map((_, place) => (place === 0 ? "---" : "--:")).join("|")}|`]
    .concat(rows.map((row) => `| ${row.join(" | ")} |`))
    .join("\n");

/** Writes the computed tables into the page. @throws Error if the page has no place for them. */
export const replaceScaleTables = (page: string, tables: string): string => replaceSection(page, markers, tables);

/** Formats all tables of docs/scale.md. */
export const formatScaleTables = (counts: AccessCounts): string =>
  [
    ["### Hottest keys", ...formatKeys(counts)],
    ["### Partitions and size of tables", formatTables(counts)],
    ["### Concurrency of functions", formatFunctions(counts)],
    ["### Queues", formatQueues(counts)],
    ["### What to raise, in this order", formatLimits(counts)],
    ["### Dollars a month", formatCost(counts)],
  ]
    .flat()
    .join("\n\n");

const nameOf = ({ table: of, index, key }: KeyHeat): string => `\`${key}\` in ${of}${index ? `, index ${index}` : ""}`;

function formatKeys(counts: AccessCounts): string[] {
  const scales = SCALES.map((count) => new Map(listKeyHeat(counts, count).map((heat) => [nameOf(heat), heat])));
  const [biggest = new Map<string, KeyHeat>()] = scales.toReversed();
  const rowsOf = (scope: KeyHeat["scope"]) =>
    [...biggest.values()]
      .filter((heat) => heat.scope === scope && heat.share > 0)
      .slice(0, SHOWN_KEYS)
      .map((heat) => [
        nameOf(heat),
        ...scales.map((scale) => `${number(scale.get(nameOf(heat))?.writeUnits ?? 0, 1)}`),
        `${number(scales.at(-1)?.get(nameOf(heat))?.readUnits ?? 0, 1)}`,
        users(usersAtLimit(heat, SCALES.at(-1) ?? 0)),
      ]);
  const head = (what: string) => [
    what,
    ...SCALES.map((count) => `write units a second, ${number(count)} users`),
    "read units, the last",
    "limit at users",
  ];
  const teams = SCALES.map((count) => number(usersOfBusiestTeam(count))).join(", ");
  return [
    table(head(`Keys of the busiest team (${teams} users)`), rowsOf("team")),
    table(head("Keys of all users"), rowsOf("all")),
    table(head("Keys of the busiest user"), rowsOf("user")),
  ];
}

function formatTables(counts: AccessCounts): string {
  const scales = SCALES.map((count) => new Map(listTableLoads(counts, count).map((load) => [load.table, load])));
  const names = [...(scales.at(-1)?.keys() ?? [])];
  return table(
    ["Table", ...SCALES.map((count) => `write, read units a second, GB, partitions, ${number(count)} users`)],
    names.map((name) => [
      name,
      ...scales.map((scale) => {
        const { writeUnits = 0, readUnits = 0, bytes = 0, partitions = 0 } = scale.get(name) ?? {};
        return [number(writeUnits), number(readUnits), number(bytes / GB), number(partitions)].join(" / ");
      }),
    ]),
  );
}

function formatFunctions(counts: AccessCounts): string {
  const scales = SCALES.map((count) => listFunctionLoads(counts, count));
  const [first = []] = scales;
  return table(
    ["Function", "seconds", "maximum", ...SCALES.map((count) => `concurrent, ${number(count)} users`)],
    first.map(({ operationId, seconds, maxConcurrency }) => [
      `\`${operationId}\``,
      seconds.toFixed(3),
      maxConcurrency === undefined ? "" : number(maxConcurrency),
      ...scales.map((loads) => number(loads.find((one) => one.operationId === operationId)?.concurrency ?? 0, 1)),
    ]),
  );
}

function formatQueues(counts: AccessCounts): string {
  const rows = listQueueLoads(counts, 1_000_000).map(({ queue, rate, capacity, inFlight }) => {
    const drainS = capacity > rate ? (rate * STOP_S) / (capacity - rate) : undefined;
    return [
      queue,
      number(rate),
      number(capacity),
      number(inFlight, 1),
      number(rate * STOP_S),
      drainS === undefined ? "never: raise its maximum" : `${number(drainS / 60, 1)} min`,
    ];
  });
  const head = ["Queue at 1,000,000 users", "messages a second", "its consumer takes at most", "in flight"];
  return table([...head, "depth after a stop of 15 minutes", "drained after"], rows);
}

function formatLimits(counts: AccessCounts): string {
  const rows = listReachedLimits(counts).map(({ name, limit, perMillion, users: count, source }) => [
    source === undefined ? `${name} (this project)` : `[${name}](${source})`,
    number(limit, 1),
    number(perMillion, 1),
    users(count),
  ]);
  return table(["Limit", "default", "a million users need", "reached at users"], rows);
}

function formatCost(counts: AccessCounts): string {
  const scales = SCALES.map((count) => computeMonthlyCost(counts, count));
  const parts = ["writes", "reads", "storage", "functions", "requests", "messages"] as const;
  const sums = scales.map((cost) => parts.reduce((sum, part) => sum + cost[part], 0));
  return table(
    ["For", ...SCALES.map((count) => `${number(count)} users`)],
    [
      ...parts.map((part) => [part, ...scales.map((cost) => dollars(cost[part]))]),
      ["**sum**", ...sums.map((sum) => `**${dollars(sum)}**`)],
      ["a user", ...sums.map((sum, place) => `$${(sum / (SCALES[place] ?? 1)).toFixed(3)}`)],
    ],
  );
}
