import { parentPort } from "node:worker_threads";
import type { ReportPage } from "../../../domain/lab-reports/page/report-page.ts";
import type { ParsedReport } from "../../../domain/lab-reports/parse-report.ts";
import type { DetectedWord, DetectWords, ReadingBasis } from "../../../domain/lab-reports/report-reader.ts";
import { detectorRecogniser } from "../recognition/detector-recogniser.ts";
import type { PageRecogniser } from "../recognition/page-recogniser.ts";
import { loadTesseract } from "../recognition/tesseract.ts";
import { type UnreadableReason, UnreadableReport } from "../unreadable-report.ts";
import { extractResults } from "./extract-results.ts";
import { readReportPages } from "./read-report-pages.ts";

/**
 * Messages to the reader thread: files to read with optional names to match, and the words that a service detected in
 * an image.
 */
export type ReaderRequest =
  | {
      readonly kind: "files";
      readonly files: readonly Uint8Array[];
      readonly isDetected: boolean;
      readonly basis?: ReadingBasis | undefined;
    }
  | { readonly kind: "words"; readonly words: readonly DetectedWord[] | null };

/**
 * Messages of the reader thread: an image for the detection service, progress (a page is done, extraction starts), and
 * the outcome.
 */
export type ReaderMessage =
  | { readonly kind: "image"; readonly png: Uint8Array }
  | { readonly kind: "page" }
  | { readonly kind: "rules" }
  | { readonly kind: "pages"; readonly pages: ReportPage[]; readonly parsed?: ParsedReport | undefined }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly refusal: string }
  | { readonly kind: "failed"; readonly message: string };

/** The first page that needs the engine loads it. */
let loaded: Promise<PageRecogniser> | undefined;
const engine = () => (loaded ??= loadTesseract());

/** Resolves with the words of the last image sent to the detection service. */
let detected: ((words: readonly DetectedWord[] | null) => void) | undefined;

const post = (message: ReaderMessage) => parentPort?.postMessage(message);

/** The thread has no network access; the parent calls the service. */
const detect: DetectWords = (png) =>
  new Promise((resolve) => {
    detected = resolve;
    post({ kind: "image", png });
  });

parentPort?.on("message", async (asked: ReaderRequest) => {
  if (asked.kind === "words") return detected?.(asked.words);
  const recogniser = async () => (asked.isDetected ? detectorRecogniser(detect) : await engine());
  try {
    const pages = await readReportPages(asked.files, recogniser, () => post({ kind: "page" }));
    post({ kind: "rules" });
    const parsed = extractResults(pages, asked.basis);
    post({ kind: "pages", pages, parsed });
  } catch (error) {
    if (error instanceof UnreadableReport) post({ kind: "unreadable", reason: error.reason, refusal: error.refusal });
    else post({ kind: "failed", message: error instanceof Error ? error.message : "unknown" });
  }
});
