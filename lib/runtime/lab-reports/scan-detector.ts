import type { DetectWords } from "../../domain/lab-reports/report-reader.ts";

/** Loads the word detector for scans. Undefined if the deployment uses the built-in engine instead of Textract. */
export async function scanDetector(): Promise<DetectWords | undefined> {
  if (process.env.REPORT_READER !== "textract") return undefined;
  detector ??= import("./detecting-text.ts").then(({ detectingText }) => detectingText());
  return await detector;
}

let detector: Promise<DetectWords> | undefined;
