import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SHARED_DIRECTORY } from "./bundle-local.ts";
import { digestSources } from "./digest.ts";
import { readPointer, writePointer } from "./pointer.ts";
import { pruneBuilds } from "./prune-builds.ts";

/** Cache directory of builds. `npm ci` deletes it. */
const CACHE = "node_modules/.cache/tributary/builds";

/** Source files of the modules of functions, and of the files that functions read. */
const FUNCTION_SOURCES = [
  "lib/!(stacks|local|start|cli)/**/*.{ts,mjs,json}",
  "{functions,data}/**/*.{ts,json}",
  "web/{page,portal,link,reference/,review}*",
  "web/console/**/*.{ts,tsx,css,html}",
  "package.json",
  "package-lock.json",
];
/** Source files of a build. */
const SOURCES = [...FUNCTION_SOURCES, "{bin,lib}/**/*.{ts,mjs,json}", "cdk.json"];

/** A build: bundled functions and the synthesized app that refers to them. */
export interface LocalBuild {
  readonly assemblyDirectory: string;
  /** Whether the build came from the cache. */
  readonly isReused: boolean;
}

/**
 * Bundles and synthesizes in two child processes at once, so that their memory is free when the service runs. Each part
 * comes from the cache if its sources are unchanged.
 * @param settings additional CDK context.
 * @throws Error with the output of a failed build.
 */
export async function buildLocally(settings: Readonly<Record<string, unknown>> = {}): Promise<LocalBuild> {
  const context = JSON.stringify(settings);
  const cache = resolve(CACHE);
  const name = `${digestSources(SOURCES, context)}.build`;
  const earlier = readPointer(cache, name);
  // A build shares the modules of an earlier one, which may be pruned.
  if (earlier !== undefined && existsSync(join(earlier, "functions", SHARED_DIRECTORY)))
    return { assemblyDirectory: join(earlier, "assembly"), isReused: true };
  // Each build has its own directory, because asset manifests contain its path. The pointer file is renamed atomically.
  const directory = join(cache, `${name.slice(0, -".build".length)}-${process.pid}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, "functions"), { recursive: true });
  const modulesName = `${digestSources(FUNCTION_SOURCES)}.functions`;
  const known = readPointer(cache, modulesName);
  const modules = known ?? `${directory}-${SHARED_DIRECTORY}`;
  await mkdir(modules, { recursive: true });
  await symlink(modules, join(directory, "functions", SHARED_DIRECTORY));
  const bundling = known === undefined ? [runNode(["bin/build-local.ts", "modules", modules])] : [];
  await Promise.all([runNode(["bin/build-local.ts", "templates", directory, context]), ...bundling]);
  writePointer(cache, modulesName, modules);
  writePointer(cache, name, directory);
  pruneBuilds(cache, Date.now());
  return { assemblyDirectory: join(directory, "assembly"), isReused: false };
}

/** A larger young generation, because a synthesis makes many short-lived objects; and no stack for each of them. */
const OPTIONS = { argv: ["--max-semi-space-size=64"], env: { CDK_DISABLE_STACK_TRACE: "1" } };

function runNode(argv: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const env = { ...process.env, ...OPTIONS.env };
    const child = spawn(process.execPath, [...OPTIONS.argv, ...argv], { stdio: ["ignore", "pipe", "pipe"], env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", fail);
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`the build failed:\n${output}`))));
  });
}
