/**
 * A report as laboratories send it, whichever format it came in: what the adapters read, and all that matching and
 * results know of it.
 */
export interface LabReport {
  /** The slug of the laboratory. */
  readonly lab: string;
  /** The laboratory's own number of the report; a report that comes twice has the same. */
  readonly report_id: string;
  readonly status: "partial" | "final" | "corrected";
  /** The number of the requisition, which names the order. */
  readonly requisition: string | null;
  readonly sample_id: string | null;
  /** The number of the lab account. */
  readonly account_number: string | null;
  readonly patient: ReportedPatient;
  /** ISO 8601. */
  readonly collected_at: string | null;
  readonly received_at: string | null;
  readonly reported_at: string;
  readonly clia_number: string | null;
  readonly laboratory_name: string | null;
  readonly observations: readonly Observation[];
}

/** The patient as the laboratory knows them. */
export interface ReportedPatient {
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** YYYY-MM-DD. */
  readonly dob: string | null;
  readonly gender: "female" | "male" | "other" | "unknown" | null;
  readonly patient_id: string | null;
}

/** One value of a report. */
export interface Observation {
  /** The laboratory's code of what was measured. */
  readonly code: string;
  readonly loinc: string | null;
  readonly name: string;
  /** The laboratory's code of the test that was ordered. */
  readonly test_code: string | null;
  readonly type: "numeric" | "range" | "comment" | "coded_value";
  readonly value: string;
  readonly unit: string | null;
  readonly reference_range: string | null;
  /** The laboratory's own flag, such as H, LL or A; empty for none. */
  readonly flag: string;
  /** `cancelled`: there is no value and there will be none. */
  readonly status: "preliminary" | "final" | "corrected" | "cancelled";
  readonly note: string | null;
  readonly performing_laboratory: string | null;
}

/** A report that can not be read: what is wrong, in words that repeat nothing of it. */
export class ReportRefused extends Error {
  override readonly name = "ReportRefused";
}
