import type { ReadPages } from "../../domain/lab-reports/report-reader.ts";
import { readPages } from "./read-pages.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** Reads the files of a report, whatever they are made of. */
export const pagesOfReport: ReadPages = async (files) => {
  try {
    return { pages: await readPages(files) };
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    return { reason: error.reason, refusal: error.refusal };
  }
};
