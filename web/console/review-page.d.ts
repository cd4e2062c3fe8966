/** The parts of the page of review links that the console shows too. */
declare module "*/review-parts.js" {
  /** A row of a report, as the service read it. */
  export interface ReviewedResult {
    readonly test_name: string;
    readonly value: string;
    readonly loinc_match_status?: string | null;
  }

  /** A LOINC code that a search found. */
  export interface FoundCode {
    readonly loinc_code: string;
    readonly loinc_name: string;
    readonly display_name: string;
  }

  export function listReasons(result: ReviewedResult, doubts: readonly string[]): string[];

  export function createMetadataFields(metadata: Readonly<Record<string, unknown>>): {
    readonly parts: HTMLElement[];
    readonly read: () => Record<string, string | null>;
  };

  export function createResultRow(about: {
    readonly result: ReviewedResult;
    readonly doubts?: readonly string[];
    readonly from?: number | null;
    readonly find: (query: string) => Promise<readonly FoundCode[] | undefined>;
    readonly show: (result: ReviewedResult) => void;
  }): { readonly item: HTMLElement; readonly first: HTMLElement; readonly read: () => object | undefined };
}

declare module "*/review-pages.js" {
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
  ): (result: import("*/review-parts.js").ReviewedResult) => void;
}
