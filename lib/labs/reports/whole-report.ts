import type { DetectWords, ReadWholeReport } from "../../domain/lab-reports/report-reader.ts";
import { readWholeReport } from "./read-pages.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/**
 * Creates the function that extracts reports.
 * @param detect detects the words of scans with a service instead of the OCR engine.
 */
export const wholeReport =
  (detect?: DetectWords): ReadWholeReport =>
  async (files, known) => {
    try {
      return await readWholeReport(files, known, detect);
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error;
      return { reason: error.reason, refusal: error.refusal };
    }
  };
