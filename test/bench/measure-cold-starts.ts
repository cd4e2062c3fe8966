import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundleFunctionFiles } from "../../lib/build/function-files.ts";
import { packageOptions } from "../../lib/build/module-options.ts";
import { type BenchPart, median, rowUpTo } from "./bench-row.ts";

const ROUNDS = 15;
const KB = 1024;

/** Starts a process that imports a module. @returns milliseconds until its end. */
function importMs(file: string): number {
  const startedAt = performance.now();
  const program = `await import(${JSON.stringify(pathToFileURL(file).href)})`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { AWS_REGION: "us-east-1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`${file} cannot be imported`);
  return performance.now() - startedAt;
}

/**
 * Measures what a cold start of `getUser` loads: its bytes, and the time of a process that imports it against one that
 * imports an empty handler. The naive way is one run of the bundler with its defaults.
 */
export async function measureColdStarts(): Promise<BenchPart> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-cold-starts-"));
  try {
    const empty = join(directory, "empty.mjs");
    writeFileSync(empty, "export const handler = async () => ({});\n");
    const [built] = await bundleFunctionFiles(directory, ["getUser"]);
    const ours = built?.file ?? "";
    const naive = join(directory, "naive.mjs");
    const { mainFields: _, ...defaults } = packageOptions;
    await build({ ...defaults, entryPoints: ["functions/users/get-user.ts"], outfile: naive });
    const times: Record<string, number[]> = { [empty]: [], [ours]: [], [naive]: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [file, of] of Object.entries(times)) of.push(importMs(file));
    const ratio = (file: string) => median(times[file] ?? []) / median(times[empty] ?? []);
    const kilobytes = (file: string) => statSync(file).size / KB;
    return {
      title: "Cold starts",
      rows: [
        rowUpTo("kilobytes that `getUser` loads, in one file", 250, kilobytes(ours), kilobytes(naive), " KB"),
        rowUpTo(
          "time of a process that imports `getUser`, against an empty handler",
          2.5,
          ratio(ours),
          ratio(naive),
          "x",
        ),
      ],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
