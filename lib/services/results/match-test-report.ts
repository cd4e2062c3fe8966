import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import type { MatchTest } from "../../domain/results/match-test.ts";
import { type SimulateReportDependencies, simulateReport } from "./simulate-report.ts";

/** A patient that no order of a match test has. */
const unrelatedPatient: LabReport["patient"] = {
  first_name: "Another",
  last_name: "Person",
  dob: "1950-12-31",
  gender: "male",
  patient_id: null,
};

/**
 * Creates the report of a match test: the report of its order, altered for its case.
 * @param wrongLab laboratory that reports instead of the order's. @param at ISO 8601.
 */
export async function createMatchTestReport(
  test: MatchTest,
  record: OrderRecord,
  wrongLab: string,
  at: string,
  deps: SimulateReportDependencies,
): Promise<LabReport> {
  const flags = { interpretation: test.interpretation, result_types: null, has_missing_results: false };
  const made = await simulateReport(record, test.result_status, flags, at, deps);
  const report = { ...made, report_id: `TEST-${test.run_id}` };
  const unnumbered = { ...report, requisition: null, sample_id: report.report_id };
  switch (test.case) {
    case "wrong_lab":
      return { ...report, lab: wrongLab };
    case "match_sample_id_mismatch_demo":
      return { ...report, patient: unrelatedPatient };
    case "multiple_demo_match":
    case "match_demo":
      return unnumbered;
    case "no_match":
      return { ...unnumbered, account_number: null };
    default:
      return report;
  }
}
