import type { DetectWords, ReadPages } from "../../domain/lab-reports/report-reader.ts";
import { readPages } from "./read-pages.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** Reads the files of a report, whatever they are made of. @param detect finds the words of scans, if a service does. */
export const pagesOfReport =
  (detect?: DetectWords): ReadPages =>
  async (files) => {
    try {
      return { pages: await readPages(files, detect) };
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error;
      return { reason: error.reason, refusal: error.refusal };
    }
  };
