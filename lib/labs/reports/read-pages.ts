import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { DetectWords, KnownNames, UnderstoodReport } from "../../domain/lab-reports/report-reader.ts";
import { checkFiles } from "./check-files.ts";
import { ReportReader } from "./report-reader.ts";

/** One for the process: the engine that recognises text is loaded once. */
const reader = new ReportReader();

/**
 * Reads the pages of a lab report, one PDF or images, into words with places.
 * @param detect finds the words of scans, where that is left to a service.
 * @throws UnreadableReport for what is no report, or none that can be read.
 */
export async function readPages(files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
  checkFiles(files);
  return (await reader.read(files, { detect })).pages;
}

/** Reads a lab report whole: its pages, and the results on them. @throws UnreadableReport as {@link readPages} does. */
export async function readWholeReport(
  files: readonly Uint8Array[],
  known: KnownNames,
  detect?: DetectWords,
): Promise<UnderstoodReport> {
  checkFiles(files);
  const { pages, parsed } = await reader.read(files, { known, detect });
  if (!parsed) throw new Error("the thread that reads reports has told no results");
  return { pages, parsed };
}
