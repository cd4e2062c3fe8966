// @module-tag deep
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allOptions, operationsSettings } from "./support/all-options.ts";
import { sampleForwards } from "./support/forwards.ts";
import { type StackTemplate, synthesizeService } from "./support/synthesize.ts";

const NAME_PREFIX = "Tributary-";

/** The names of what a template exports. */
const exportsOf = ({ text }: StackTemplate): string[] =>
  Object.values<{ Export?: { Name: unknown } }>(JSON.parse(text).Outputs ?? {}).flatMap(({ Export }) =>
    Export === undefined ? [] : JSON.stringify(Export.Name),
  );

const importsOf = ({ text }: StackTemplate, exported: string): boolean =>
  text.replaceAll(/\s/g, "").includes(`{"Fn::ImportValue":${exported}}`);

/**
 * The stacks that must be deployed before the others when settings are turned off: they import what another stack then
 * no longer exports, and CloudFormation rejects that until nothing imports it.
 */
function stacksToDeployFirst(on: readonly StackTemplate[], off: readonly StackTemplate[]): string[] {
  const first = on.flatMap((stack) => {
    const after = off.find(({ name }) => name === stack.name);
    // The stack of a setting stays until an operator deletes it, and so do its exports.
    if (after === undefined) return [];
    const kept = new Set(exportsOf(after));
    const dropped = exportsOf(stack).filter((exported) => !kept.has(exported));
    return on.filter((other) => dropped.some((exported) => importsOf(other, exported)));
  });
  return [...new Set(first.map(({ name }) => name.slice(NAME_PREFIX.length)))].sort();
}

/** The rows of the table in docs/deploy.md: the stacks by setting. */
function documentedStacks(): Record<string, string[]> {
  const [, section = ""] = readFileSync("docs/deploy.md", "utf8").split("\n### Turning settings off\n");
  const [table = ""] = section.split("\n### ");
  const rows = [...table.matchAll(/^\| `(\w+)`[^|]*\| ([^|]+) \|/gm)];
  return Object.fromEntries(
    rows.map(([, setting = "", stacks = ""]) => [
      setting,
      [...stacks.matchAll(/`([\w-]+)`/g)].map(([, one = ""]) => one),
    ]),
  );
}

const { edge, domain, backupDays, alarmEmail } = allOptions;
const turnedOn: Readonly<Record<string, Record<string, unknown>>> = {
  dashboard: {},
  edge: { edge },
  domain: { domain },
  backupDays: { backupDays },
  alarmEmail: { alarmEmail },
  reportReader: { reportReader: "textract" },
  lake: { lake: true },
  teamCredentials: { teamCredentials: true },
  gradualReleases: { gradualReleases: "canary5" },
  serviceLevels: { serviceLevels: operationsSettings.serviceLevels },
  traceExport: { traceExport: operationsSettings.traceExport },
  watch: { watch: operationsSettings.watch },
  forward: { forward: [...sampleForwards, { name: "hub", prefixes: ["provider."], to: { kind: "event_hub" } }] },
};
/** The settings with the other value than by default. The dashboard is on by default. */
const turnedOff: Readonly<Record<string, Record<string, unknown>>> = { dashboard: { dashboard: false } };

test.each(Object.entries(turnedOn))(
  "docs/deploy.md names the stacks to deploy before %s is turned off",
  (setting, on) => {
    const before = synthesizeService(on).templates;
    const after = synthesizeService(turnedOff[setting] ?? {}).templates;
    expect(stacksToDeployFirst(before, after)).toEqual(documentedStacks()[setting] ?? []);
  },
);
