import { declareCommand } from "../frame/declaration.ts";
import { flag } from "../frame/values.ts";
import { benchConsole } from "./bench/bench-console.ts";
import { benchReports } from "./bench/bench-reports.ts";

export const bench = declareCommand({
  name: "bench",
  summary: "Measures storage, reads, writes and deliveries, beside a naive design on the same engine",
  options: { write: flag("also write the tables into docs/performance.md and docs/figures") },
  examples: [
    ["bench", "prints the tables"],
    ["bench --write", "writes them into the page"],
  ],
  json: "option",
  subcommands: [benchConsole, benchReports],
  run: async ({ write }, session) => {
    const { runBench } = await import("../../../test/bench/run-bench.ts");
    return { data: await runBench(write, session) };
  },
});
