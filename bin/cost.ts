import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { configOf, settingsIn } from "../lib/stacks/config.ts";
import { costTable, freeTable, sourceTable } from "../lib/terminal/cost/cost-table.ts";
import { templatesOf } from "../lib/terminal/cost/deployments.ts";
import { idleCost, type PricedTemplate } from "../lib/terminal/cost/idle-cost.ts";

const USAGE = `Usage: npm run cost [-- --stage <stage of cdk.json>] [--name <name>] [--assembly <directory>] [--sources]

Prints the monthly cost of the synthesized templates without traffic, at the list prices of us-east-1 in
data/aws-prices.json. Run npm run synth first, with the stage and options to price.

--stage     stage of the deployment, when several were synthesized
--name      name of the deployment, the prefix of its stack names
--assembly  directory of the templates (default: cdk.out)
--sources   also prints the free resource types and the sources of the prices`;

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

/** Names of the stacks of CDK's last synthesis. Empty without a manifest. */
function latestIn(directory: string): Set<string> {
  const manifest = join(directory, "manifest.json");
  return new Set(existsSync(manifest) ? Object.keys(JSON.parse(readFileSync(manifest, "utf8")).artifacts ?? {}) : []);
}

function nameOf(stage: string): string {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  return configOf(settingsIn(context), context.stages, stage).name;
}

const { values } = parseArgs({
  options: {
    stage: { type: "string" },
    name: { type: "string" },
    assembly: { type: "string", default: "cdk.out" },
    sources: { type: "boolean" },
    help: { type: "boolean" },
  },
});

function report(): string {
  const { assembly, stage, name = stage === undefined ? undefined : nameOf(stage) } = values;
  const templates = existsSync(assembly) ? templatesIn(assembly) : [];
  if (templates.length === 0) throw new Error(`${assembly} contains no templates: run npm run synth.`);
  const cost = idleCost(templatesOf(templates, { name, latest: latestIn(assembly) }));
  const parts = [costTable(cost), ...(values.sources ? [freeTable(cost), sourceTable()] : [])];
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

if (values.help) {
  console.log(USAGE);
} else {
  try {
    console.log(report());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
