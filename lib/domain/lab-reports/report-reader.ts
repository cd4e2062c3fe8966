import type { PackedResult } from "../lab-tests/packed-catalogue.ts";
import type { ParsedReport } from "./parse-report.ts";
import type { LearnedAlias } from "./report-catalogue.ts";
import type { FailureReason } from "./report-job.ts";
import type { ReportPage } from "./report-page.ts";

/** Files that can not be read, whatever is tried again. */
export interface Unreadable {
  readonly reason: FailureReason;
  /** One sentence for the sender; it tells nothing of what the files hold. */
  readonly refusal: string;
}

/** Tells the media type of each file by its content, or why the files are no report, without reading them whole. */
export type CheckFiles = (files: readonly Uint8Array[]) => { readonly mediaTypes: readonly string[] } | Unreadable;

/** What the names in a report are looked up in. */
export interface KnownNames {
  readonly results: readonly PackedResult[];
  readonly learned: readonly LearnedAlias[];
}

/** The pages of a report, and what the rules make of them. */
export interface UnderstoodReport {
  readonly pages: readonly ReportPage[];
  readonly parsed: ParsedReport;
}

/** Reads a report: its pages, and the results on them. */
export type ReadWholeReport = (
  files: readonly Uint8Array[],
  known: KnownNames,
) => Promise<UnderstoodReport | Unreadable>;

/** A word that a service found in an image; its place in shares of the image's width and height. */
export interface DetectedWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 100. */
  readonly confidence: number;
}

/** Has a service find the words in a PNG; null where it does not take the image. */
export type DetectWords = (png: Uint8Array) => Promise<readonly DetectedWord[] | null>;
