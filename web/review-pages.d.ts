import type { ReviewedResult } from "./review-parts.js";

/** A file of a report, which is loaded in parts. */
export interface ReviewedFile {
  readonly media_type: string;
  readonly parts: number;
}

/** A page of a report with its words, if it has text. */
export interface ReviewedPage {
  readonly width: number;
  readonly height: number;
  readonly origin: string;
  readonly words: readonly object[];
}

export function loadFiles(
  files: readonly ReviewedFile[],
  request: (method: "GET", path: string) => Promise<Pick<Response, "blob">>,
): Promise<string[]>;

export function showPages(
  box: HTMLElement,
  report: { readonly files: readonly ReviewedFile[]; readonly pages: readonly ReviewedPage[] },
  urls: readonly string[],
): (result: ReviewedResult) => void;
