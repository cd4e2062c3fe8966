import type { PackedResult } from "../lab-tests/packed-catalogue.ts";
import type { LearnedAlias } from "./names/report-catalogue.ts";
import type { ReportPage } from "./page/report-page.ts";
import type { ParsedReport } from "./parse-report.ts";
import type { FailureReason } from "./report-job.ts";

/** Files that are permanently unreadable. */
interface UnreadableFiles {
  readonly reason: FailureReason;
  /** One sentence for the sender, without any content of the files. */
  readonly refusal: string;
}

/**
 * Detects the media type of each file by its content, or the reason for which the files are no report. Does not decode
 * the files.
 */
export type CheckFiles = (files: readonly Uint8Array[]) => { readonly mediaTypes: readonly string[] } | UnreadableFiles;

/** The catalogue results and learned aliases that test names are matched against, and the day of the submission. */
export interface ReadingBasis {
  readonly results: readonly PackedResult[];
  readonly learned: readonly LearnedAlias[];
  /** `YYYY-MM-DD`; determines the century of years with two digits. */
  readonly submittedOn: string;
}

/** The pages of a report and the results extracted from them. */
export interface ExtractedReport {
  readonly pages: readonly ReportPage[];
  readonly parsed: ParsedReport;
}

/** Extracts the pages and the results of a report. */
export type ExtractReport = (
  files: readonly Uint8Array[],
  basis: ReadingBasis,
) => Promise<ExtractedReport | UnreadableFiles>;

/** A word that a text detection service found. Its bounding box is in shares of the image's width and height. */
export interface DetectedWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 100. */
  readonly confidence: number;
}

/** Detects the words of a PNG with a service; null if the service rejects the image. */
export type DetectWords = (png: Uint8Array) => Promise<readonly DetectedWord[] | null>;
