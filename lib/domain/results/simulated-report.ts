import type { Interpretation } from "./interpretation.ts";
import type { LabReport, ReportedPatient } from "./lab-report.ts";
import type { Person } from "./reference-range.ts";
import type { ResultType } from "./wire-result.ts";

/** A result that is made up for a marker of an order. */
export interface SimulatedMarker {
  readonly test_code: string;
  readonly name: string;
  readonly loinc: string | null;
  /** UCUM; null for results in words. */
  readonly unit: string | null;
}

/** What a simulation asks of the results. */
export interface SimulationFlags {
  readonly interpretation: Interpretation;
  /** The kinds that values are to have, in turns; null for those that suit the markers. */
  readonly result_types: readonly ResultType[] | null;
  readonly has_missing_results: boolean | null;
}

/** What the report is of. */
export interface SimulatedReport {
  readonly lab: string;
  readonly requisition: string;
  readonly sample_id: string;
  readonly account_number: string | null;
  readonly patient: ReportedPatient;
  readonly person: Person;
  readonly status: LabReport["status"];
  readonly collected_at: string;
  readonly reported_at: string;
  readonly markers: readonly SimulatedMarker[];
}
