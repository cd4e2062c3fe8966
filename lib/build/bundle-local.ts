import { globSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { moduleOptions } from "./module-options.ts";
import { bundleReportReader } from "./report-reader.ts";

/** Directory of the modules of all functions, beside the directories of functions. */
export const SHARED_DIRECTORY = "shared";

/** The operation id of a function by its file: the name of the file in camelCase. */
export const operationIdOf = (file: string) =>
  basename(file, ".ts").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Bundles all functions for runs on this machine. All run in one process, so they share chunks: the process loads each
 * module once. Sources and options are those of a deployment.
 * @param directory output directory.
 */
export async function bundleShared(directory: string): Promise<void> {
  const files = globSync("functions/*/*.ts").toSorted();
  await mkdir(directory, { recursive: true });
  await Promise.all([
    build({
      ...moduleOptions,
      entryPoints: files.map((file) => ({ in: file, out: operationIdOf(file) })),
      outdir: directory,
      chunkNames: "chunks/[hash]",
      splitting: true,
    }),
    bundleReportReader(directory),
  ]);
}

/**
 * Writes the directory of a function for runs on this machine. Its module only names the shared one, so templates do not
 * change with the code.
 */
export async function writeLocalFunction(directory: string, operationId: string): Promise<void> {
  await mkdir(join(directory, operationId), { recursive: true });
  await writeFile(
    join(directory, operationId, "index.mjs"),
    `export { handler } from "../${SHARED_DIRECTORY}/${operationId}.mjs";\n`,
  );
}
