import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Cache directory of builds. `npm ci` deletes it. */
const CACHE = "node_modules/.cache/tributary";

/** Source files of a build. */
const SOURCES = [
  "{bin,lib,functions,data}/**/*.{ts,mjs,json}",
  "web/{portal,link,review}*",
  "package-lock.json",
  "cdk.json",
];

/** A build: bundled functions and the synthesized app that refers to them. */
export interface LocalBuild {
  readonly assemblyDirectory: string;
  /** Whether the build came from the cache. */
  readonly isReused: boolean;
}

/**
 * Bundles and synthesizes in a child process, so that its memory is free when the service runs. Reuses a cached build
 * of the same sources.
 * @param settings additional CDK context.
 * @throws Error with the output of a failed build.
 */
export async function buildLocally(settings: Readonly<Record<string, unknown>> = {}): Promise<LocalBuild> {
  const context = JSON.stringify(settings);
  const digest = digestFiles(SOURCES.flatMap((pattern) => globSync(pattern)).sort(), context);
  const pointer = resolve(CACHE, `${digest}.path`);
  if (existsSync(pointer)) return { assemblyDirectory: readFileSync(pointer, "utf8"), isReused: true };
  // Each build has its own directory, because templates contain its path. The pointer file is renamed atomically.
  const directory = resolve(CACHE, `${digest}-${process.pid}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await runNode(["bin/synth-local.ts", directory, context]);
  const assemblyDirectory = join(directory, "assembly");
  writeFileSync(`${pointer}.${process.pid}`, assemblyDirectory);
  renameSync(`${pointer}.${process.pid}`, pointer);
  return { assemblyDirectory, isReused: false };
}

function digestFiles(files: readonly string[], context: string): string {
  const hash = createHash("sha256").update(process.version).update(context);
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 20);
}

function runNode(argv: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", fail);
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`the build failed:\n${output}`))));
  });
}
