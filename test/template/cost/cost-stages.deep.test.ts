// @module-tag deep
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatCostTable } from "../../../lib/cli/cost/cost-table.ts";
import { computeIdleCost } from "../../../lib/cli/cost/idle-cost.ts";
import { type StackTemplate, synthesizeService } from "../support/synthesize.ts";

const directory = mkdtempSync(join(tmpdir(), "cost-"));
const one = synthesizeService();
const dev = synthesizeService({ name: "TributaryDev", dashboard: false });
/** A deployment whose name starts with the name of another one. */
const blue = synthesizeService({ name: "Tributary-Blue", dashboard: false });

/** A directory as CDK leaves it, with templates of earlier syntheses and a manifest of the last one. */
function assembly(name: string, templates: readonly StackTemplate[], latest: readonly StackTemplate[]): string {
  const path = join(directory, name);
  mkdirSync(path);
  for (const template of templates) writeFileSync(join(path, `${template.name}.template.json`), template.text);
  const artifacts = Object.fromEntries(latest.map((template) => [template.name, { type: "aws:cloudformation:stack" }]));
  writeFileSync(join(path, "manifest.json"), JSON.stringify({ artifacts }));
  return path;
}

let several: string;
beforeAll(() => {
  several = assembly("several", [...one.templates, ...dev.templates, ...blue.templates], dev.templates);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs `npm run cost`. @returns its exit status and output. */
function cost(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/tributary.ts", "cost", ...args], {
    encoding: "utf8",
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

const tableOf = ({ templates }: { templates: readonly StackTemplate[] }) =>
  formatCostTable(computeIdleCost(templates)).join("\n");

describe("npm run cost, with several synthesized deployments,", () => {
  test("counts the deployment of the stage", () => {
    expect(cost("--assembly", several, "--stage", "dev")).toMatchObject({ status: 0, stdout: tableOf(dev) });
  });

  test("counts the deployment with the exact name", () => {
    expect(cost("--assembly", several, "--name", "Tributary")).toMatchObject({ status: 0, stdout: tableOf(one) });
    expect(cost("--assembly", several, "--name", "Tributary-Blue").stdout).toBe(tableOf(blue));
  });

  test("lists the deployments if the command names none, and prints no price", () => {
    const there = "The directory contains Tributary, Tributary-Blue, TributaryDev: select one with --stage or --name.";
    expect(cost("--assembly", several)).toEqual({ status: 1, stdout: "", stderr: there });
  });

  test("reports a stage that was not synthesized or is not in cdk.json", () => {
    const missing =
      "The directory does not contain the deployment TributaryProd, only Tributary, Tributary-Blue, TributaryDev";
    expect(cost("--assembly", several, "--stage", "prod")).toMatchObject({ status: 1, stdout: "" });
    expect(cost("--assembly", several, "--stage", "prod").stderr).toContain(missing);
    expect(cost("--assembly", several, "--stage", "staging").stderr).toContain("cdk.json has no stage staging");
  });
});

test("npm run cost ignores templates of an earlier synthesis", () => {
  const withoutDashboard = one.templates.filter(({ name }) => name !== "Tributary-Dashboard");
  const path = assembly("left", one.templates, withoutDashboard);
  expect(cost("--assembly", path)).toMatchObject({ status: 0, stdout: tableOf({ templates: withoutDashboard }) });
  expect(tableOf({ templates: withoutDashboard })).not.toBe(tableOf(one));
});

test("npm run cost names the command to run if the directory contains no templates", () => {
  expect(cost("--assembly", join(directory, "none")).stderr).toMatch(/^.* contains no templates: run npm run synth\.$/);
});
