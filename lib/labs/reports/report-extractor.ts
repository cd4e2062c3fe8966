import type { DetectWords, ExtractReport } from "../../domain/lab-reports/report-reader.ts";
import { extractReport } from "./reader/read-pages.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/**
 * Creates the function that extracts reports.
 * @param detect detects the words of scans with a service instead of the OCR engine.
 */
export const reportExtractor =
  (detect?: DetectWords): ExtractReport =>
  async (files, basis) => {
    try {
      return await extractReport(files, basis, detect);
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error;
      return { reason: error.reason, refusal: error.refusal };
    }
  };
