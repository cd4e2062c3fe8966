import {
  compositionRoots,
  functionLayers,
  type GuardedPackage,
  guardedPackages,
  layers,
  services,
} from "./import-table.ts";

/** The generated linter configuration, which `.biome.json` extends. */
export const RULES_FILE = "test/conventions/import-rules.json";

/** Folders below a layer nest at most this deep. */
const MAX_DEPTH = 3;

const zod = { importNames: ["z"], message: 'import * as z from "zod" (bundles 360 KB less)' };

interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
}

const override = (includes: string, patterns: readonly Pattern[]) => ({
  includes: [includes],
  linter: {
    rules: { style: { noRestrictedImports: { level: "error", options: { paths: { zod }, patterns } } } },
  },
});

const allLayers = [...Object.keys(layers), ...compositionRoots, "functions"];
const without = (all: readonly string[], some: readonly string[]) => all.filter((name) => !some.includes(name));

/** Import specifiers of a layer, seen from `depth` folders below lib/. */
function specifiersOf(layer: string, depth: number): string {
  return layer === "functions" ? `${"../".repeat(depth + 1)}functions/**` : `${"../".repeat(depth)}${layer}/**`;
}

/** Guarded packages that a row does not name. */
function refusedPackages(allowed: readonly GuardedPackage[]): string[] {
  const names = Object.keys(guardedPackages) as GuardedPackage[];
  return names.filter((name) => !allowed.includes(name)).flatMap((name) => guardedPackages[name]);
}

/** The files that lie exactly `depth` folders below lib/ in a folder. */
const filesAt = (folder: string, depth: number) => `lib/${folder}/${"*/".repeat(depth - folder.split("/").length)}*`;

function layerRules(layer: string, depth: number): Pattern[] {
  const row = layers[layer];
  if (!row) return [];
  const refused = without(allLayers, [layer, ...row.layers]).map((other) => specifiersOf(other, depth));
  const message = `${layer} imports ${[...row.layers, ...row.packages].join(", ") || "zod"} alone`;
  return [{ group: [...refused, ...refusedPackages(row.packages)], message }];
}

/** The rules of one capability of lib/services: those of the layer, and the other capabilities that it may not import. */
function serviceRules(service: string, depth: number): Pattern[] {
  const allowed = services[service] ?? [];
  const others = without(Object.keys(services), [service, ...allowed]);
  const group = others.map((other) => `${"../".repeat(depth - 1)}${other}/**`);
  const message = `services/${service} imports ${allowed.map((name) => `services/${name}`).join(", ") || "no other service"}`;
  return [...layerRules("services", depth), ...(group.length > 0 ? [{ group, message }] : [])];
}

const depths = (from: number) => Array.from({ length: MAX_DEPTH - from + 1 }, (_, at) => from + at);

function functionRules(): Pattern[] {
  const refused = without(allLayers, [...functionLayers, "functions"]).map((layer) => `../../lib/${layer}/**`);
  return [
    { group: ["./**", "../*/**", "../*.ts", "!../../**"], message: "a function imports no other function" },
    {
      group: [...refused, ...refusedPackages([])],
      message: `a function imports ${functionLayers.join(", ")}; never stacks, local or SDK clients`,
    },
  ];
}

/** The configuration of the linter that holds {@link layers} and {@link services}. */
function importRules() {
  const ofLayers = Object.keys(layers)
    .filter((layer) => layer !== "services")
    .flatMap((layer) => depths(1).map((depth) => override(filesAt(layer, depth), layerRules(layer, depth))));
  const ofServices = Object.keys(services).flatMap((service) =>
    depths(2).map((depth) => override(filesAt(`services/${service}`, depth), serviceRules(service, depth))),
  );
  return { overrides: [...ofLayers, ...ofServices, override("functions/*/*", functionRules())] };
}

/** {@link importRules} as the text of {@link RULES_FILE}, one override a line. */
export function importRulesText(): string {
  const lines = importRules().overrides.map((rule) => JSON.stringify(rule));
  return `{"overrides":[\n${lines.join(",\n")}\n]}\n`;
}
