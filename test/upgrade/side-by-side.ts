import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { readFunctions } from "../../lib/local/template/read-functions.ts";

/** Invocations of one function by each version. */
export interface VersionCounts {
  before: number;
  next: number;
}

/**
 * Lets two versions of each function take turns, over the same tables, queues, streams and bus: the state of a gradual
 * release. Functions that only the next version has run alone.
 * @param modules the modules of the version before.
 * @param directory an empty directory for the entry files of its functions.
 * @returns the invocations by function.
 */
export async function runSideBySide(
  { host, assembly }: LocalCloud,
  modules: string,
  directory: string,
): Promise<ReadonlyMap<string, VersionCounts>> {
  const counts = new Map<string, VersionCounts>();
  const names = new Map<string, string>();
  for (const fn of readFunctions(assembly)) {
    const operationId = basename(fn.directory);
    const module = join(modules, `${operationId}.mjs`);
    if (!existsSync(module)) continue;
    const own = join(directory, operationId);
    await mkdir(own);
    await writeFile(join(own, "index.mjs"), `export { handler } from ${JSON.stringify(pathToFileURL(module).href)};\n`);
    const before = { ...fn, version: "before", directory: own };
    host.aliases.point(fn.arn, before, { fn: { ...fn, version: "next" }, weight: 0.5 });
    names.set(fn.arn, operationId);
    counts.set(operationId, { before: 0, next: 0 });
  }
  host.aliases.observe = (arn, version) => {
    const count = counts.get(names.get(arn) ?? "");
    if (count) count[version === "before" ? "before" : "next"] += 1;
  };
  return counts;
}
