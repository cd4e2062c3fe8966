import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lintAsProject } from "./biome.ts";
import { importRulesText, RULES_FILE } from "./import-rules.ts";
import { compositionRoots, functionLayers, type GuardedPackage, layers, services } from "./import-table.ts";

const PACKAGE: Readonly<Record<GuardedPackage, string>> = { sdk: "@aws-sdk/client-sqs", cdk: "aws-cdk-lib/aws-sqs" };
const allLayers = [...Object.keys(layers), ...compositionRoots, "functions"];

/** An import of a fixture, and whether the table allows it. */
interface FixtureImport {
  readonly specifier: string;
  readonly isAllowed: boolean;
}
const fixtures = new Map<string, readonly FixtureImport[]>();

const packageImports = (allowed: readonly GuardedPackage[]) =>
  (Object.keys(PACKAGE) as GuardedPackage[]).map((name) => ({
    specifier: PACKAGE[name],
    isAllowed: allowed.includes(name),
  }));

function layerImports(layer: string, depth: number): FixtureImport[] {
  const { layers: allowed, packages } = layers[layer] ?? { layers: [], packages: [] };
  const others = allLayers.filter((other) => other !== layer);
  const up = "../".repeat(depth);
  const imports = others.map((other) => ({
    specifier: other === "functions" ? `${up}../functions/index.ts` : `${up}${other}/x.ts`,
    isAllowed: allowed.includes(other),
  }));
  return [...imports, ...packageImports(packages)];
}

for (const layer of Object.keys(layers).filter((name) => name !== "services"))
  for (const depth of [1, 2, 3])
    fixtures.set(`lib/${layer}/${"folder/".repeat(depth - 1)}x.ts`, layerImports(layer, depth));
for (const [service, allowed] of Object.entries(services))
  for (const depth of [2, 3]) {
    const others = Object.keys(services).filter((other) => other !== service);
    const imports = others.map((other) => ({
      specifier: `${"../".repeat(depth - 1)}${other}/x.ts`,
      isAllowed: allowed.includes(other),
    }));
    fixtures.set(`lib/services/${service}/${"folder/".repeat(depth - 2)}x.ts`, [
      ...layerImports("services", depth),
      ...imports,
    ]);
  }
fixtures.set("functions/users/x.ts", [
  { specifier: "./get-user.ts", isAllowed: false },
  { specifier: "../link/create-link-token.ts", isAllowed: false },
  ...[...Object.keys(layers), ...compositionRoots].map((layer) => ({
    specifier: `../../lib/${layer}/x.ts`,
    isAllowed: functionLayers.includes(layer),
  })),
  ...packageImports([]),
]);

/** Violations that no table decides: whatever the rows say, the linter has to find these. */
const violations = new Map([
  ["lib/runtime/violation.ts", 'import "../services/orders/plan-order.ts";'],
  ["lib/domain/orders/violation.ts", 'import "../../store/orders/orders.ts";'],
  ["lib/contract/violation.ts", 'import "@aws-sdk/client-dynamodb";'],
  ["lib/services/orders/violation.ts", 'import "../results/receive-report.ts";'],
  ["lib/connectors/oura/violation.ts", 'import { z } from "zod";'],
]);
const cycle = new Map([
  ["lib/domain/cycle/one.ts", 'import { two } from "./two.ts";\nexport const one = two;\n'],
  ["lib/domain/cycle/two.ts", 'import { one } from "./one.ts";\nexport const two = one;\n'],
]);

const texts = [...fixtures].map(
  ([file, imports]) => [file, imports.map(({ specifier }) => `import "${specifier}";\n`).join("")] as const,
);
const findings = lintAsProject(new Map([...texts, ...violations, ...cycle]));
const found = (file: string, rule: string) =>
  findings.filter((finding) => finding.rule === rule && finding.file === file);

describe("the linter", () => {
  test.each([...fixtures])("refuses in %s exactly the imports that the table does not name", (file, imports) => {
    const refused = found(file, "noRestrictedImports").map(({ firstLine }) => imports[firstLine - 1]?.specifier);
    const expected = imports.filter(({ isAllowed }) => !isAllowed).map(({ specifier }) => specifier);
    expect(refused.toSorted()).toEqual(expected.toSorted());
  });

  test.each([...violations.keys()])("finds the violation in %s", (file) => {
    expect(found(file, "noRestrictedImports")).toHaveLength(1);
  });

  test("refuses a cycle of imports", () => {
    for (const file of cycle.keys()) expect(found(file, "noImportCycles")).toHaveLength(1);
  });

  test("reads the rules that are generated from the table", () => {
    expect(readFileSync(RULES_FILE, "utf8")).toBe(importRulesText());
    const { extends: extended } = JSON.parse(readFileSync(".biome.json", "utf8"));
    expect(extended).toEqual([`./${RULES_FILE}`]);
  });
});

describe("the table", () => {
  test("has a row for every folder of lib/", () => {
    const folders = globSync("lib/*/").map((folder) => folder.replace(/^lib\/|\/$/g, ""));
    expect(folders.toSorted()).toEqual([...Object.keys(layers), ...compositionRoots].toSorted());
  });
});
