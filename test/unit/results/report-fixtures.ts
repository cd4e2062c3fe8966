import type { LabReport, Observation } from "../../../lib/domain/results/lab-report.ts";

/** Creates an observation of glucose. */
export function value(more: Partial<Observation> = {}): Observation {
  return {
    code: "GLU",
    loinc: "2345-7",
    name: "Glucose",
    test_code: "483",
    type: "numeric",
    value: "85",
    unit: "mg/dL",
    reference_range: "70-99",
    flag: "",
    status: "final",
    note: null,
    performing_laboratory: null,
    ...more,
  };
}

/** Creates a final report of one value. */
export function report(more: Partial<LabReport> = {}): LabReport {
  return {
    lab: "quest",
    report_id: "F1",
    status: "final",
    requisition: "REQ1",
    sample_id: "S1",
    account_number: null,
    patient: { first_name: "Ada", last_name: "Sample", dob: "1990-05-17", gender: "female", patient_id: null },
    collected_at: "2026-03-04T14:00:00.000Z",
    received_at: null,
    reported_at: "2026-03-05T00:00:00.000Z",
    clia_number: null,
    laboratory_name: null,
    observations: [value()],
    ...more,
  };
}
