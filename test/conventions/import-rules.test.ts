import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { lintAsProject } from "./biome.ts";

const FIXTURES = "test/conventions/fixtures/imports";

/** Imports as a file at that path might have them; those that must be refused say so at the end of their line. */
const fixtures = new Map(
  globSync("**/*.txt", { cwd: FIXTURES }).map((file) => [
    file.replace(/\.txt$/, ""),
    readFileSync(join(FIXTURES, file), "utf8"),
  ]),
);
const findings = lintAsProject(fixtures);

/** Lines of a file that a rule is about. */
function linesFound(file: string, rule: string): string[] {
  const lines = (fixtures.get(file) ?? "").split("\n");
  const found = findings.filter((finding) => finding.rule === rule && finding.file === file);
  return found.map(({ firstLine }) => lines[firstLine - 1] ?? "").toSorted();
}
const linesMarked = (text: string, mark: string) => text.split("\n").filter((line) => line.endsWith(`; // ${mark}`));

describe("an import across the borders of", () => {
  // A line that is marked `not yet refused` breaks the design and no rule tells: a rule for it moves it to the others.
  test.each([...fixtures])("%s is refused, any other is not", (file, text) => {
    expect(linesFound(file, "noRestrictedImports")).toEqual(linesMarked(text, "refused").toSorted());
  });
});

test("a cycle of imports is refused", () => {
  const cycle = [...fixtures].filter(([, text]) => text.includes("// cycle"));
  expect(cycle).toHaveLength(2);
  for (const [file, text] of cycle) expect(linesFound(file, "noImportCycles")).toEqual(linesMarked(text, "cycle"));
});

test("every folder with rules has a fixture that breaks them", () => {
  const configuration = z.object({ overrides: z.array(z.object({ includes: z.array(z.string()) })) });
  const { overrides } = configuration.parse(JSON.parse(readFileSync(".biome.json", "utf8")));
  const patterns = overrides.flatMap(({ includes }) => includes);
  const asRegExp = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll("**", "\u0000").replaceAll("*", "[^/]+").replaceAll("\u0000", ".+")}$`);
  const broken = [...fixtures].filter(([, text]) => text.includes("; // refused")).map(([file]) => file);
  expect(patterns.filter((pattern) => !broken.some((file) => asRegExp(pattern).test(file)))).toEqual([]);
});

test("every folder of lib/ has rules, but those that put the parts together", () => {
  const composing = ["build", "start", "terminal"];
  const folders = globSync("lib/*/").map((folder) => folder.replace(/^lib\/|\/$/g, ""));
  const ruled = [...fixtures.keys()].map((file) => file.split("/")[1]);
  expect(folders.filter((folder) => !ruled.includes(folder)).toSorted()).toEqual(composing);
});
