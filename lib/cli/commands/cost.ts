import * as z from "zod";
import { explainErrors } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { flag, option, path } from "../frame/values.ts";

export const cost = declareCommand({
  name: "cost",
  summary: "Prints the monthly cost of the synthesized templates without traffic",
  description: [
    "Uses the list prices of us-east-1 in data/aws-prices.json.",
    "Run npm run synth first, with the stage and options to price.",
  ],
  options: {
    stage: option("<stage>", "stage of cdk.json, when several were synthesized", z.string().optional()),
    name: option("<name>", "name of the deployment, the prefix of its stack names", z.string().optional()),
    assembly: option("<directory>", "directory of the templates", path.default("cdk.out")),
    sources: flag("also print the free resource types and the sources of the prices"),
  },
  examples: [
    ["cost", "the only synthesized deployment"],
    ["cost --stage prod --sources", "one of several, with sources"],
  ],
  json: "option",
  run: ({ sources, ...selection }, session) =>
    explainErrors(async () => {
      const { formatCost, reportCost } = await import("../cost/report-cost.ts");
      const data = reportCost(selection);
      session.print(formatCost(data, sources));
      return { data };
    }),
});
