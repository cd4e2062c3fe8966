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

/** Reads the pages of a report. */
export type ReadPages = (
  files: readonly Uint8Array[],
) => Promise<{ readonly pages: readonly ReportPage[] } | Unreadable>;
