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
