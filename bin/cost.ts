import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { costTable, freeTable, sourceTable } from "../lib/terminal/cost/cost-table.ts";
import { idleCost, type PricedTemplate } from "../lib/terminal/cost/idle-cost.ts";

const USAGE = `Usage: npm run cost [-- --assembly <directory>] [--sources]

Prints what the synthesized templates cost in a month in which nobody calls: list prices of us-east-1, from
data/aws-prices.json. Run npm run synth before, with the stage and options that you want to have priced.

--assembly  where the templates are (cdk.out)
--sources   prints what is free and where the prices were read, too`;

const SUFFIX = ".template.json";

function templatesIn(directory: string): PricedTemplate[] {
  return globSync(`${directory}/*${SUFFIX}`).map((file) => ({
    name: basename(file, SUFFIX),
    resources: Object.fromEntries(
      Object.entries(JSON.parse(readFileSync(file, "utf8")).Resources as PricedTemplate["resources"]).map(
        ([id, { Type, Properties = {} }]) => [id, { Type, Properties }],
      ),
    ),
  }));
}

const { values } = parseArgs({
  options: {
    assembly: { type: "string", default: "cdk.out" },
    sources: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const templates = existsSync(values.assembly) ? templatesIn(values.assembly) : [];
if (values.help || templates.length === 0) {
  console.log(values.help ? USAGE : `There are no templates in ${values.assembly}: run npm run synth.`);
  process.exitCode = values.help ? 0 : 1;
} else {
  const cost = idleCost(templates);
  const parts = [costTable(cost), ...(values.sources ? [freeTable(cost), sourceTable()] : [])];
  console.log(parts.map((lines) => lines.join("\n")).join("\n\n"));
}
