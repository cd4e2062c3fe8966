/** A printed row of results: wire fields, and the catalogue's code. */
export interface TruthRow {
  readonly test_name: string;
  readonly value: string;
  readonly units: string | null;
  readonly min_reference_range: number | null;
  readonly max_reference_range: number | null;
  readonly interpretation: "normal" | "abnormal" | "critical" | null;
  readonly is_above_max_range: boolean | null;
  readonly is_below_min_range: boolean | null;
  readonly source_panel_name: string | null;
  /** Null if the catalogue has no code for it. */
  readonly loinc: string | null;
}

/** The data in the head of a report; dates as `YYYY-MM-DD`. */
export interface TruthMetadata {
  readonly patient_first_name: string;
  readonly patient_last_name: string;
  readonly dob: string;
  readonly gender: "male" | "female";
  readonly lab_name: string;
  readonly date_reported: string;
  readonly date_collected: string;
  readonly specimen_number: string;
}

/** The expected result of parsing a report. */
export interface ReportTruth {
  readonly metadata: TruthMetadata;
  readonly results: readonly TruthRow[];
}
