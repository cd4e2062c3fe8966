import type { DetectWords } from "../../domain/lab-reports/report-reader.ts";

/** Loads the word detector for scans. Undefined if the deployment uses the built-in engine instead of Textract. */
export async function loadScanDetector(): Promise<DetectWords | undefined> {
  if (process.env.REPORT_READER !== "textract") return undefined;
  detector ??= import("./textract-detector.ts").then(({ createTextractDetector }) => createTextractDetector());
  return await detector;
}

let detector: Promise<DetectWords> | undefined;
