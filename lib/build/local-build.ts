import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Where builds are kept; `npm ci` empties it. */
const CACHE = "node_modules/.cache/tributary";

/** Everything that a build is made of. */
const SOURCES = [
  "{bin,lib,functions,data}/**/*.{ts,mjs,json}",
  "web/{portal,link,review}*",
  "package-lock.json",
  "cdk.json",
];

/** A finished build: bundled functions and the synthesized app that points to them. */
export interface LocalBuild {
  readonly assemblyDirectory: string;
  /** Whether it was there already. */
  readonly isReused: boolean;
}

/**
 * Bundles and synthesizes in a process of its own, whose memory is free again when the service runs. A build of the same
 * sources is used again.
 * @param settings context that a deployment would have in cdk.json.
 * @throws Error with the output of the build when it fails.
 */
export async function localBuild(settings: Readonly<Record<string, unknown>> = {}): Promise<LocalBuild> {
  const context = JSON.stringify(settings);
  const digest = digestOf(SOURCES.flatMap((pattern) => globSync(pattern)).sort(), context);
  const pointer = resolve(CACHE, `${digest}.path`);
  if (existsSync(pointer)) return { assemblyDirectory: readFileSync(pointer, "utf8"), isReused: true };
  // Each build has a directory of its own, because templates name it; which one counts is said at the end, in one step.
  const directory = resolve(CACHE, `${digest}-${process.pid}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await run(["bin/synth-local.ts", directory, context]);
  const assemblyDirectory = join(directory, "assembly");
  writeFileSync(`${pointer}.${process.pid}`, assemblyDirectory);
  renameSync(`${pointer}.${process.pid}`, pointer);
  return { assemblyDirectory, isReused: false };
}

function digestOf(files: readonly string[], context: string): string {
  const hash = createHash("sha256").update(process.version).update(context);
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 20);
}

function run(argv: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.once("error", fail);
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`the build failed:\n${output}`))));
  });
}
