/** A row of results as a report prints it: fields of the wire, and the code that the catalogue has for it. */
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
  /** Null when the catalogue has no code for it. */
  readonly loinc: string | null;
}

/** What the head of a report says; dates as `YYYY-MM-DD`. */
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

/** Everything that a reader should find in a report. */
export interface ReportTruth {
  readonly metadata: TruthMetadata;
  readonly results: readonly TruthRow[];
}
