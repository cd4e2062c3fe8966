import type { DetectWords } from "../../domain/lab-reports/report-reader.ts";

/** What finds the words of scans where the deployment leaves that to a service; undefined where the engine does. */
export async function scanDetector(): Promise<DetectWords | undefined> {
  if (process.env.REPORT_READER !== "textract") return undefined;
  detector ??= import("./detecting-text.ts").then(({ detectingText }) => detectingText());
  return await detector;
}

let detector: Promise<DetectWords> | undefined;
