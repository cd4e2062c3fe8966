/** What a test measures: a result with its LOINC code. */
export interface PackedResult {
  readonly loinc: string;
  readonly slug: string;
  readonly name: string;
  /** UCUM; null for results in words. */
  readonly unit: string | null;
  /** The long common name of LOINC, unaltered. */
  readonly loinc_name: string;
}

/** A biomarker or panel, whichever lab offers it. */
export interface PackedTest {
  readonly slug: string;
  readonly name: string;
  /** The shelf on which people look for it. */
  readonly section: string;
  readonly sample: string;
  readonly description: string;
  /** Further words that it is searched by. */
  readonly also: string;
  readonly is_panel: boolean;
  readonly is_fasting: boolean;
  /** The group of questions asked at order entry; empty for none. */
  readonly questions: string;
  /** Its results, as places in the list of results. */
  readonly results: readonly number[];
  /** What may follow from its result, as places in the list of tests. */
  readonly reflex: readonly number[];
  readonly cpt_codes: readonly string[];
}

/** A test as one lab offers it. */
export interface PackedOffer {
  /** The lab's own code of the test. */
  readonly provider_id: string;
  /** Its place in the list of tests. */
  readonly test: number;
  readonly price_cents: number;
  readonly common_tat_days: number;
  readonly worst_case_tat_days: number;
  readonly a_la_carte: boolean;
}

/** What a patient is asked when a test is ordered. */
export interface PackedQuestion {
  readonly id: number;
  readonly required: boolean;
  readonly code: string;
  readonly value: string;
  readonly type: string;
  readonly sequence: number;
  readonly answers: readonly { readonly id: number; readonly code: string; readonly value: string }[];
  readonly constraint: string | null;
  readonly default: string | null;
}

/** The catalogue as it is built from data/lab-catalogue and bundled: every fact once. */
export interface PackedCatalogue {
  readonly results: readonly PackedResult[];
  readonly tests: readonly PackedTest[];
  /** By lab slug. */
  readonly offers: Readonly<Record<string, readonly PackedOffer[]>>;
  /** By group. */
  readonly questions: Readonly<Record<string, readonly PackedQuestion[]>>;
}
