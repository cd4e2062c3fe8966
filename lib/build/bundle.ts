import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { version } from "esbuild";
import { contracts } from "../../functions/index.ts";
import { effectiveGrants } from "../contract/access-log-mode.ts";
import { grantsForTeam } from "../contract/team/team-keys.ts";
import { catalogue } from "../events/catalogue/catalogue.ts";
import { exampleDataOf } from "../events/catalogue/example-data.ts";
import { FunctionCache } from "./function-cache.ts";
import { functionEntry } from "./function-entry.ts";
import { bundleFunctionFiles, bundleTeamCredentials } from "./function-files.ts";
import { TEAM_CREDENTIALS_FILE } from "./plugins/function-parts.ts";
import { linkFiles, runtimeFiles, writeRuntimeFiles } from "./runtime-files.ts";

/** Directory of the bundled files, to which the directories of functions link. */
const FILES = "files";

/** Cache of the files of functions. `npm ci` deletes it. */
export const FUNCTION_CACHE = "node_modules/.cache/tributary/functions";

/** Lazy files that only functions with a dependency ever load: those that pull data also store what they pull. */
const NEEDED_WITH: Readonly<Record<string, string>> = { "fit-file-parser.mjs": "ingestion" };

/** Files on which every function depends: packages, their options, and the bundler's own code. */
const BUILD_SOURCES = ["package.json", "package-lock.json", "lib/build/**/*.ts"];

/** Settings of a deployment that change the files of functions. */
interface BundleOptions {
  readonly teamCredentials?: boolean;
}

const assumesTeamRole = (contract: (typeof contracts)[number]) =>
  contract.kind === "endpoint" && grantsForTeam(contract).length > 0;

/**
 * Bundles all functions for a deployment. Each function gets a directory with one module, and with the files that it
 * loads lazily or reads. Only functions with a changed source are bundled, so that others keep their file.
 * @param directory output directory; emptied first.
 * @param cache folder of the cache; without one everything is bundled.
 * @param options whether the functions of a team's routes get the module that assumes their team role.
 * @returns the operation ids of the functions that were bundled.
 */
export async function bundleFunctions(
  directory: string,
  cache?: string,
  { teamCredentials = false }: BundleOptions = {},
): Promise<readonly string[]> {
  await rm(directory, { recursive: true, force: true });
  const files = join(directory, FILES);
  await mkdir(files, { recursive: true });
  const functionCache = cache === undefined ? undefined : new FunctionCache(cache, digestBuild());
  const lazyFiles = new Map<string, readonly string[]>();
  for (const contract of contracts) {
    const restored = await functionCache?.restore(contract.operationId, functionEntry(contract), files);
    if (restored) lazyFiles.set(contract.operationId, restored);
  }
  const stale = contracts.filter(({ operationId }) => !lazyFiles.has(operationId));
  const entries = new Map<string, string>(stale.map((contract) => [contract.operationId, functionEntry(contract)]));
  const built = await bundleFunctionFiles(files, [...entries.keys()]);
  for (const one of built) {
    lazyFiles.set(one.operationId, one.lazyFiles);
    await functionCache?.keep(one, entries.get(one.operationId) ?? "");
  }
  await writeRuntimeFiles(files);
  if (teamCredentials) await bundleTeamCredentials(files);
  for (const contract of contracts) {
    const ofTeam = teamCredentials && assumesTeamRole(contract) ? [TEAM_CREDENTIALS_FILE] : [];
    await linkFunction(directory, contract, [...(lazyFiles.get(contract.operationId) ?? []), ...ofTeam]);
  }
  return [...entries.keys()];
}

async function linkFunction(
  directory: string,
  contract: (typeof contracts)[number],
  lazyFiles: readonly string[],
): Promise<void> {
  const { operationId } = contract;
  const granted = new Set(effectiveGrants(contract).map(({ dependency }) => dependency));
  const needed = lazyFiles.filter((name) => granted.has(NEEDED_WITH[name] ?? "") || NEEDED_WITH[name] === undefined);
  const own = join(directory, operationId);
  await linkFiles(own, FILES, [...needed, ...(runtimeFiles[operationId] ?? [])]);
  await symlink(join("..", FILES, `${operationId}.mjs`), join(own, "index.mjs"));
}

/** A digest of everything on which all functions depend. */
function digestBuild(): string {
  const hash = createHash("sha256").update(process.version).update(version);
  for (const file of BUILD_SOURCES.flatMap((pattern) => globSync(pattern)).sort())
    hash.update(file).update(readFileSync(file));
  return hash.update(JSON.stringify(catalogue.map(({ type }) => exampleDataOf(type)))).digest("hex");
}
