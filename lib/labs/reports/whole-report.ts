import type { DetectWords, ReadWholeReport } from "../../domain/lab-reports/report-reader.ts";
import { readWholeReport } from "./read-pages.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** Reads the files of a report, whatever they are made of. @param detect finds the words of scans, if a service does. */
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
