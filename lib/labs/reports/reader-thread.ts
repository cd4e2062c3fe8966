import { parentPort } from "node:worker_threads";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { PageRecogniser } from "./page-recogniser.ts";
import { readReport } from "./read-report.ts";
import { tesseract } from "./tesseract.ts";
import { type UnreadableReason, UnreadableReport } from "./unreadable-report.ts";

/** What the thread that reads tells: that a page is done, and how the reading of the files that it was sent ended. */
export type ReaderTold =
  | { readonly kind: "page" }
  | { readonly kind: "pages"; readonly pages: ReportPage[] }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly refusal: string }
  | { readonly kind: "failed"; readonly message: string };

/** The engine is loaded by the first page that needs it. */
let engine: Promise<PageRecogniser> | undefined;

parentPort?.on("message", async (files: readonly Uint8Array[]) => {
  const tell = (told: ReaderTold) => parentPort?.postMessage(told);
  const recogniser = () => (engine ??= tesseract());
  try {
    tell({ kind: "pages", pages: await readReport(files, recogniser, () => tell({ kind: "page" })) });
  } catch (error) {
    if (error instanceof UnreadableReport) tell({ kind: "unreadable", reason: error.reason, refusal: error.refusal });
    else tell({ kind: "failed", message: error instanceof Error ? error.message : "unknown" });
  }
});
