import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { VersionFormats } from "./formats/record-formats.ts";
import { unpackSources } from "./source-archive.ts";

const VERSIONS = join(import.meta.dirname, "versions");

/** The commit of the version before, whose sources and formats are kept. */
function findVersionBefore(): string {
  const [file, ...others] = globSync("*.sources.br", { cwd: VERSIONS });
  if (file === undefined || others.length > 0) throw new Error("one version has sources: that before the next release");
  return file.replace(".sources.br", "");
}

/** Reads the formats of the version before. */
export const readFormatsBefore = (): VersionFormats =>
  JSON.parse(gunzipSync(readFileSync(join(VERSIONS, `${findVersionBefore()}.formats.json.gz`))).toString("utf8"));

/**
 * Builds the functions of the version before, with the packages of this one. @returns the directory of their modules.
 */
export async function buildVersionBefore(): Promise<string> {
  const commit = findVersionBefore();
  const modules = resolve(`node_modules/.cache/tributary/versions/${commit}`);
  if (existsSync(modules)) return modules;
  // Node runs no TypeScript below node_modules, so the sources lie elsewhere.
  const sources = mkdtempSync(join(tmpdir(), "version-before-"));
  unpackSources(join(VERSIONS, `${commit}.sources.br`), sources);
  symlinkSync(resolve("node_modules"), join(sources, "node_modules"));
  const building = `${modules}-${process.pid}`;
  const run = (...argv: readonly string[]) => promisify(execFile)(process.execPath, argv, { cwd: sources });
  await run("bin/build-local.ts", "modules", building);
  // Catalogues and pages, which functions read from files.
  await run(
    "--eval",
    `import("./lib/build/runtime-files.ts").then((made) => made.writePages(${JSON.stringify(building)}))`,
  );
  renameSync(building, modules);
  rmSync(sources, { recursive: true });
  return modules;
}
