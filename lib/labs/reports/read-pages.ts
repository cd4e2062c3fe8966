import { looksEnglish } from "../../domain/lab-reports/looks-english.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { DetectWords } from "../../domain/lab-reports/report-reader.ts";
import { checkFiles } from "./check-files.ts";
import { ReportReader } from "./report-reader.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** One for the process: the engine that recognises text is loaded once. */
const reader = new ReportReader();

/**
 * Reads the pages of a lab report, one PDF or images, into words with places.
 * @param detect finds the words of scans, where that is left to a service.
 * @throws UnreadableReport for what is no report, or none that can be read.
 */
export async function readPages(files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
  checkFiles(files);
  const pages = await reader.read(files, detect);
  if (!looksEnglish(pages)) throw new UnreadableReport("not_english", "The report is not in English.");
  return pages;
}
