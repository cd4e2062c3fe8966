import type { CheckFiles } from "../../domain/lab-reports/report-reader.ts";
import { checkFiles } from "./check-files.ts";
import { UnreadableReport } from "./unreadable-report.ts";

const mediaTypes = { pdf: "application/pdf", jpeg: "image/jpeg", png: "image/png" } as const;

/** Checks the files of a report by their signatures and headers. */
export const checkReportFiles: CheckFiles = (files) => {
  try {
    return { mediaTypes: checkFiles(files).map((kind) => mediaTypes[kind]) };
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    return { reason: error.reason, refusal: error.refusal };
  }
};
