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

/** Additional CDK context. */
type Settings = Readonly<Record<string, unknown>>;

/** Bundles and synthesizes the app with these settings, see {@link buildAllLocally}. */
export async function buildLocally(settings: Settings = {}): Promise<LocalBuild> {
  const [build] = await buildAllLocally([settings]);
  if (!build) throw new Error("no build");
  return build;
}

/**
 * Bundles and synthesizes in child processes at once, so that their memory is free when the service runs. Each part
 * comes from the cache if its sources are unchanged.
 * @param all settings of each app.
 * @returns a build for each, in the same order.
 * @throws Error with the output of a failed build.
 */
export async function buildAllLocally(all: readonly Settings[]): Promise<readonly LocalBuild[]> {
  const cache = resolve(CACHE);
  const sources = digestSources(SOURCES);
  const builds = all.map((settings) => planBuild(cache, sources, JSON.stringify(settings)));
  const missing = builds.filter(({ isReused }) => !isReused);
  if (missing.length > 0) await buildMissing(cache, missing);
  return builds.map(({ directory, isReused }) => ({ assemblyDirectory: join(directory, "assembly"), isReused }));
}

interface PlannedBuild {
  readonly name: string;
  readonly context: string;
  readonly directory: string;
  readonly isReused: boolean;
}

function planBuild(cache: string, sources: string, context: string): PlannedBuild {
  const digest = digestSources([], sources, context);
  const name = `${digest}.build`;
  const earlier = readPointer(cache, name);
  // A build shares the modules of an earlier one, which may be pruned.
  if (earlier !== undefined && existsSync(join(earlier, "functions", SHARED_DIRECTORY)))
    return { name, context, directory: earlier, isReused: true };
  // Each build has its own directory, because asset manifests contain its path. The pointer file is renamed atomically.
  return { name, context, directory: join(cache, `${digest}-${process.pid}`), isReused: false };
}

async function buildMissing(cache: string, builds: readonly PlannedBuild[]): Promise<void> {
  const modulesName = `${digestSources(FUNCTION_SOURCES)}.functions`;
  const known = readPointer(cache, modulesName);
  const modules = known ?? `${builds[0]?.directory}-${SHARED_DIRECTORY}`;
  await mkdir(modules, { recursive: true });
  for (const { directory } of builds) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(join(directory, "functions"), { recursive: true });
    await symlink(modules, join(directory, "functions", SHARED_DIRECTORY));
  }
  const bundling = known === undefined ? [runNode(["bin/build-local.ts", "modules", modules])] : [];
  // Loading CDK and contracts takes longer than a further synthesis, so two processes do any number.
  const halves = [0, 1]
    .map((half) => builds.filter((_, place) => place % 2 === half))
    .filter(({ length }) => length > 0);
  const synthesizing = halves.map((half) =>
    runNode(["bin/build-local.ts", "templates", ...half.flatMap(({ directory, context }) => [directory, context])]),
  );
  await Promise.all([...synthesizing, ...bundling]);
  writePointer(cache, modulesName, modules);
  for (const { name, directory } of builds) writePointer(cache, name, directory);
  pruneBuilds(cache, Date.now());
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
