import type { Interpretation } from "./interpretation.ts";
import type { LabReport, ReportedPatient } from "./lab-report.ts";
import type { TestedPerson } from "./reference-range.ts";
import type { ResultType } from "./wire-result.ts";

/** Marker of an order that gets a synthetic result. */
export interface SimulatedMarker {
  readonly test_code: string;
  readonly name: string;
  readonly loinc: string | null;
  /** UCUM; null for a textual result. */
  readonly unit: string | null;
}

/** Options for the results of a simulation. */
export interface SimulationFlags {
  readonly interpretation: Interpretation;
  /** Types of the values, in rotation; null for the types that suit the markers. */
  readonly result_types: readonly ResultType[] | null;
  readonly has_missing_results: boolean | null;
}

/** Input of a synthetic report. */
export interface SimulatedReport {
  readonly lab: string;
  readonly requisition: string;
  readonly sample_id: string;
  readonly account_number: string | null;
  readonly patient: ReportedPatient;
  readonly person: TestedPerson;
  readonly status: LabReport["status"];
  readonly collected_at: string;
  readonly reported_at: string;
  readonly markers: readonly SimulatedMarker[];
}
