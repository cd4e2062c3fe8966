/** Result that a test measures. */
export interface PackedResult {
  readonly loinc: string;
  readonly slug: string;
  readonly name: string;
  /** UCUM; null for a textual result. */
  readonly unit: string | null;
  /** LOINC long common name, unaltered. */
  readonly loinc_name: string;
}

/** Biomarker or panel, independent of the lab that offers it. */
export interface PackedTest {
  readonly slug: string;
  readonly name: string;
  /** Section of the catalogue. */
  readonly section: string;
  readonly sample: string;
  readonly description: string;
  /** Additional search words. */
  readonly also: string;
  readonly is_panel: boolean;
  readonly is_fasting: boolean;
  /** Group of questions at order entry; empty for none. */
  readonly questions: string;
  /** Indexes into the list of results. */
  readonly results: readonly number[];
  /** Reflex tests, as indexes into the list of tests. */
  readonly reflex: readonly number[];
  readonly cpt_codes: readonly string[];
}

/** Test offered by one lab. */
export interface PackedOffer {
  /** The lab's own test code. */
  readonly provider_id: string;
  /** Index into the list of tests. */
  readonly test: number;
  readonly price_cents: number;
  readonly common_tat_days: number;
  readonly worst_case_tat_days: number;
  readonly a_la_carte: boolean;
}

/** Question at order entry (AOE). */
interface PackedQuestion {
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

/** Normalized catalogue, built from data/lab-catalogue and bundled. */
export interface PackedCatalogue {
  readonly results: readonly PackedResult[];
  readonly tests: readonly PackedTest[];
  /** By lab slug. */
  readonly offers: Readonly<Record<string, readonly PackedOffer[]>>;
  /** By group. */
  readonly questions: Readonly<Record<string, readonly PackedQuestion[]>>;
}
