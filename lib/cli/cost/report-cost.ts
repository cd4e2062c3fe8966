import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { resolveConfig, settingsFromContext } from "../../stacks/config.ts";
import { formatCostTable, formatFreeTable, formatSourceTable } from "./cost-table.ts";
import { computeIdleCost, type IdleCost } from "./idle-cost.ts";
import type { PricedTemplate } from "./priced-template.ts";
import { selectTemplates } from "./select-templates.ts";

/** Which synthesized deployment to price. */
export interface CostSelection {
  /** Directory of the templates. */
  readonly assembly: string;
  /** Stage of cdk.json; undefined for the only deployment. */
  readonly stage?: string | undefined;
  /** Prefix of the stack names. */
  readonly name?: string | undefined;
}

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

/** Computes the idle cost of a synthesized deployment. @throws Error with what a person can correct. */
export function reportCost({ assembly, stage, name }: CostSelection): IdleCost {
  const named = name ?? (stage === undefined ? undefined : readStageName(stage));
  const templates = existsSync(assembly) ? readTemplates(assembly) : [];
  if (templates.length === 0) throw new Error(`${assembly} contains no templates: run npm run synth.`);
  return computeIdleCost(selectTemplates(templates, { name: named, latest: readLatestStacks(assembly) }));
}

/** The tables of a cost as Markdown. @param withSources also the free resource types and the sources of the prices. */
export function formatCost(cost: IdleCost, withSources: boolean): string {
  const parts = [formatCostTable(cost), ...(withSources ? [formatFreeTable(cost), formatSourceTable()] : [])];
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}
