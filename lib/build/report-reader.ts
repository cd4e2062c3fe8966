import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { READER_SCRIPT, readerFile, readerFileNames } from "../labs/reports/reader-files.ts";
import { moduleOptions } from "./module-options.ts";

/** The thread that reads lab reports and what it loads, which lie beside the one function that reads them. */
export const reportReaderFiles: readonly string[] = [READER_SCRIPT, ...readerFileNames];

/**
 * Bundles the thread that reads lab reports into one file, with the engine and the model that it loads beside it.
 * @param directory where to write.
 */
export async function bundleReportReader(directory: string): Promise<void> {
  const entryPoints = ["lib/labs/reports/reader-thread.ts"];
  await build({ ...moduleOptions, entryPoints, outfile: join(directory, READER_SCRIPT) });
  for (const name of readerFileNames) await copyFile(readerFile(name), join(directory, name));
}
