import { parentPort } from "node:worker_threads";
import type { ParsedReport } from "../../domain/lab-reports/parse-report.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { DetectedWord, DetectWords, KnownNames } from "../../domain/lab-reports/report-reader.ts";
import { detectingWith } from "./detected-page.ts";
import type { PageRecogniser } from "./page-recogniser.ts";
import { readReport } from "./read-report.ts";
import { resultsIn } from "./results-in.ts";
import { tesseract } from "./tesseract.ts";
import { type UnreadableReason, UnreadableReport } from "./unreadable-report.ts";

/**
 * Messages to the reader thread: files to read with optional names to match, and the words that a service detected in
 * an image.
 */
export type ReaderAsked =
  | {
      readonly kind: "files";
      readonly files: readonly Uint8Array[];
      readonly isDetected: boolean;
      readonly known?: KnownNames | undefined;
    }
  | { readonly kind: "words"; readonly words: readonly DetectedWord[] | null };

/**
 * Messages of the reader thread: an image for the detection service, progress (a page is done, extraction starts), and
 * the outcome.
 */
export type ReaderTold =
  | { readonly kind: "image"; readonly png: Uint8Array }
  | { readonly kind: "page" }
  | { readonly kind: "rules" }
  | { readonly kind: "pages"; readonly pages: ReportPage[]; readonly parsed?: ParsedReport | undefined }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason; readonly refusal: string }
  | { readonly kind: "failed"; readonly message: string };

/** The first page that needs the engine loads it. */
let loaded: Promise<PageRecogniser> | undefined;
const engine = () => (loaded ??= tesseract());

/** Resolves with the words of the last image sent to the detection service. */
let detected: ((words: readonly DetectedWord[] | null) => void) | undefined;

const tell = (told: ReaderTold) => parentPort?.postMessage(told);

/** The thread has no network access; the parent calls the service. */
const detect: DetectWords = (png) =>
  new Promise((resolve) => {
    detected = resolve;
    tell({ kind: "image", png });
  });

parentPort?.on("message", async (asked: ReaderAsked) => {
  if (asked.kind === "words") return detected?.(asked.words);
  const recogniser = async () => (asked.isDetected ? detectingWith(detect) : await engine());
  try {
    const pages = await readReport(asked.files, recogniser, () => tell({ kind: "page" }));
    tell({ kind: "rules" });
    const parsed = resultsIn(pages, asked.known);
    tell({ kind: "pages", pages, parsed });
  } catch (error) {
    if (error instanceof UnreadableReport) tell({ kind: "unreadable", reason: error.reason, refusal: error.refusal });
    else tell({ kind: "failed", message: error instanceof Error ? error.message : "unknown" });
  }
});
