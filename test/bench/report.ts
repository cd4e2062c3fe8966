import { cpus } from "node:os";
import { replaceSection } from "../../lib/cli/replace-section.ts";
import type { BenchPart, BenchRow } from "./bench-row.ts";
import { barChart, lineChart } from "./charts.ts";
import type { CostGrowth } from "./measure-reads.ts";
import type { StreamSize } from "./measure-storage.ts";
import { drawMergeFigure } from "./merge-figure.ts";

/** All results of one bench run. */
export interface BenchResult {
  readonly parts: readonly BenchPart[];
  readonly sizes: readonly StreamSize[];
  readonly growth: readonly CostGrowth[];
}

const metMark = ({ isMet }: BenchRow) => (isMet === undefined ? "" : isMet ? "yes" : "**no**");

/** Formats the tables of a run as Markdown, with date and machine. @param now ISO 8601. */
export function measurementsMarkdown({ parts }: BenchResult, now: string): string {
  const { model = "" } = cpus()[0] ?? {};
  const machine = `${now.slice(0, 10)}, ${cpus().length} cores${model ? ` (${model.trim()})` : ""}, Node ${process.version}`;
  const tables = parts.map(({ title, rows }) =>
    [
      `### ${title}`,
      "| Measure | Target | Here | Naive | Met |",
      "|---|---|---|---|---|",
      ...rows.map((row) => `| ${row.measure} | ${row.target} | ${row.ours} | ${row.naive} | ${metMark(row)} |`),
    ].join("\n"),
  );
  return [`Measured ${machine}.`, ...tables].join("\n\n");
}

/** Formats rows for a terminal, in aligned columns. */
export function terminalTable({ title, rows }: BenchPart): string {
  const cells = rows.map((row) => [row.measure, row.target, row.ours, row.naive, metMark(row).replaceAll("*", "")]);
  const all = [["", "target", "here", "naive", "met"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  return [`\n${title}`, ...lines].join("\n");
}

const markers = {
  start: "<!-- measurements: written by npm run bench -->",
  end: "<!-- end of measurements -->",
};

/** Replaces the measurements in a page. @throws Error if the page has no place for measurements. */
export const replaceMeasurements = (page: string, text: string): string => replaceSection(page, markers, text);

/** Draws the charts of a run. @returns SVG texts by file name. */
export function drawCharts({ sizes, growth }: BenchResult): Record<string, string> {
  const meanNaive =
    sizes.reduce((sum, { naive, perDay }) => sum + naive * perDay, 0) /
    sizes.reduce((sum, { perDay }) => sum + perDay, 0);
  const bars = [
    ...sizes.map(({ name, chunk }) => ({ label: name, value: chunk })),
    { label: "one item a sample", value: meanNaive },
  ];
  const byHistory = growth.find(({ by }) => by === "days of history")?.points ?? [];
  return {
    "merge.svg": drawMergeFigure(),
    "bytes-per-sample.svg": barChart("Bytes per sample at rest, as stored", bars, "B", 0.25),
    "read-cost.svg": lineChart(
      "Reading the newest day, by length of history",
      [
        { label: "read units", points: byHistory.map(({ x, readUnits }) => [x, readUnits] as const) },
        { label: "milliseconds", points: byHistory.map(({ x, ms }) => [x, ms] as const) },
      ],
      { x: "days of history", y: "cost" },
    ),
  };
}
