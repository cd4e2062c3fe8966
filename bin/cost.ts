import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { formatCostTable, formatFreeTable, formatSourceTable } from "../lib/cli/cost/cost-table.ts";
import { computeIdleCost } from "../lib/cli/cost/idle-cost.ts";
import type { PricedTemplate } from "../lib/cli/cost/priced-template.ts";
import { selectTemplates } from "../lib/cli/cost/select-templates.ts";
import { resolveConfig, settingsFromContext } from "../lib/stacks/config.ts";

const USAGE = `Usage: npm run cost [-- --stage <stage of cdk.json>] [--name <name>] [--assembly <directory>] [--sources]

Prints the monthly cost of the synthesized templates without traffic, at the list prices of us-east-1 in
data/aws-prices.json. Run npm run synth first, with the stage and options to price.

--stage     stage of the deployment, when several were synthesized
--name      name of the deployment, the prefix of its stack names
--assembly  directory of the templates (default: cdk.out)
--sources   also prints the free resource types and the sources of the prices`;

const SUFFIX = ".template.json";

function readTemplates(directory: string): PricedTemplate[] {
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
function readLatestStacks(directory: string): Set<string> {
  const manifest = join(directory, "manifest.json");
  return new Set(existsSync(manifest) ? Object.keys(JSON.parse(readFileSync(manifest, "utf8")).artifacts ?? {}) : []);
}

function readStageName(stage: string): string {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  return resolveConfig(settingsFromContext(context), context.stages, stage).name;
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

function formatReport(): string {
  const { assembly, stage, name = stage === undefined ? undefined : readStageName(stage) } = values;
  const templates = existsSync(assembly) ? readTemplates(assembly) : [];
  if (templates.length === 0) throw new Error(`${assembly} contains no templates: run npm run synth.`);
  const cost = computeIdleCost(selectTemplates(templates, { name, latest: readLatestStacks(assembly) }));
  const parts = [formatCostTable(cost), ...(values.sources ? [formatFreeTable(cost), formatSourceTable()] : [])];
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

if (values.help) {
  console.log(USAGE);
} else {
  try {
    console.log(formatReport());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
