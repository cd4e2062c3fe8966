import type { ReportPage } from "../../../domain/lab-reports/page/report-page.ts";
import type { DetectWords, ExtractedReport, ReadingBasis } from "../../../domain/lab-reports/report-reader.ts";
import { checkFiles } from "../check-files.ts";
import { ReportReader } from "./report-reader.ts";

/** One reader per process, so that the OCR engine loads once. */
const reader = new ReportReader();

/**
 * Reads the pages of a lab report, one PDF or images, into words with bounding boxes.
 * @param detect detects the words of scans with a service instead of the OCR engine.
 * @throws UnreadableReport if the files are no readable report.
 */
export async function readPages(files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
  checkFiles(files);
  return (await reader.read(files, { detect })).pages;
}

/** Extracts a lab report: its pages and their results. @throws UnreadableReport as {@link readPages} does. */
export async function extractReport(
  files: readonly Uint8Array[],
  basis: ReadingBasis,
  detect?: DetectWords,
): Promise<ExtractedReport> {
  checkFiles(files);
  const { pages, parsed } = await reader.read(files, { basis, detect });
  if (!parsed) throw new Error("the reader thread returned no results");
  return { pages, parsed };
}
