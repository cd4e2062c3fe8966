import { declareCommand } from "../../frame/declaration.ts";

export const benchConsole = declareCommand({
  name: "console",
  summary: "Measures the console: the plot of a year of heart rate, and 10,000 users",
  options: {},
  examples: [["bench console", "prints the tables"]],
  json: "option",
  run: async (_, session) => {
    const { runConsoleBench } = await import("../../../../test/bench/console/run-console-bench.ts");
    return { data: await runConsoleBench(session) };
  },
});
