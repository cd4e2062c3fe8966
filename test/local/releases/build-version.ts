import { readFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { moduleOptions } from "../../../lib/build/module-options.ts";
import { synthesizeLocally } from "../../../lib/build/synthesize-local.ts";
import { type ResolvedAssembly, readAssembly } from "../../../lib/local/template/read-assembly.ts";

/** A change of one function for a next version. */
export interface FunctionChange {
  readonly operationId: string;
  /** The file of the function. */
  readonly file: string;
  /** Changes the source. */
  readonly edit: (source: string) => string;
}

/** Context of both versions. */
export const RELEASE_SETTINGS = { gradualReleases: "canary5" };

/**
 * Builds a version that differs from another one in a function, with its templates.
 * @param assembly directory of the templates of the other version.
 * @param directory directory of the next version.
 */
export async function buildVersion(
  assembly: string,
  directory: string,
  { operationId, file, edit }: FunctionChange,
): Promise<ResolvedAssembly> {
  await mkdir(directory, { recursive: true });
  await cp(join(dirname(assembly), "functions"), join(directory, "functions"), { recursive: true });
  const own = join(directory, "functions", operationId);
  await rm(own, { recursive: true });
  const path = resolve(file);
  const edited: Plugin = {
    name: "edited function",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, (one) =>
        one.path === path ? { contents: edit(readFileSync(path, "utf8")), loader: "ts" } : undefined,
      );
    },
  };
  await build({
    ...moduleOptions,
    plugins: [edited, ...moduleOptions.plugins],
    entryPoints: [{ in: path, out: "index" }],
    outdir: own,
  });
  synthesizeLocally(directory, RELEASE_SETTINGS);
  return readVersion(join(directory, "assembly"));
}

/** Reads the templates of a version as CodeDeploy sees them. */
export const readVersion = (assembly: string): ResolvedAssembly =>
  readAssembly(assembly, { region: "us-east-1", queueOrigin: "http://127.0.0.1" });
