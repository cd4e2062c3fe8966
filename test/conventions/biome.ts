import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { RULES_FILE } from "./import-rules.ts";

const position = z.object({ line: z.int() });
const report = z.object({
  diagnostics: z.array(
    z.object({ category: z.string(), location: z.object({ path: z.string(), start: position, end: position }) }),
  ),
});

/** A finding of the linter: its rule, and its lines. */
export interface LintFinding {
  readonly rule: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Runs biome with the configuration of `directory`. */
function runLinter(directory: string, argv: readonly string[]): LintFinding[] {
  const options = ["lint", "--reporter=json", "--max-diagnostics=none", ...argv];
  const { stdout } = spawnSync(resolve("node_modules/.bin/biome"), options, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return report.parse(JSON.parse(stdout)).diagnostics.map(({ category, location }) => ({
    rule: category.replace(/^lint\/\w+\//, ""),
    file: location.path,
    firstLine: location.start.line,
    lastLine: location.end.line,
  }));
}

/** Lints texts by this project's rules as if they were its files. @param texts path in the project -> text. */
export function lintAsProject(texts: ReadonlyMap<string, string>): LintFinding[] {
  const directory = mkdtempSync(join(tmpdir(), "tributary-lint-"));
  try {
    for (const file of [".biome.json", RULES_FILE]) cpSync(file, join(directory, file), { recursive: true });
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    return runLinter(directory, ["."]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Functions in these folders with at least this number of lines, by biome's own parser. */
export function findLongFunctions(folders: readonly string[], atLeastLines: number): LintFinding[] {
  const directory = mkdtempSync(join(tmpdir(), "tributary-lint-"));
  const level = { level: "error", options: { maxLines: atLeastLines } };
  const linter = { rules: { preset: "none", complexity: { noExcessiveLinesPerFunction: level } } };
  const { files } = z.object({ files: z.unknown() }).parse(JSON.parse(readFileSync(".biome.json", "utf8")));
  try {
    writeFileSync(join(directory, "biome.json"), JSON.stringify({ root: true, files, linter }));
    return runLinter(".", [`--config-path=${directory}`, ...folders]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
