import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { READER_SCRIPT, readerFileNames, readerFilePath } from "../labs/reports/reader/reader-files.ts";
import { moduleOptions } from "./module-options.ts";

/** Files of the worker thread that reads lab reports. They are deployed next to parseLabReport. */
export const reportReaderFiles: readonly string[] = [READER_SCRIPT, ...readerFileNames];

/**
 * Bundles the worker thread that reads lab reports into one file, and copies its OCR engine and model.
 * @param directory output directory.
 */
export async function bundleReportReader(directory: string): Promise<void> {
  const entryPoints = ["lib/labs/reports/reader/reader-thread.ts"];
  await build({ ...moduleOptions, keepNames: true, entryPoints, outfile: join(directory, READER_SCRIPT) });
  for (const name of readerFileNames) await copyFile(readerFilePath(name), join(directory, name));
}
