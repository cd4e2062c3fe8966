import type { Order } from "../orders/lifecycle/order-transitions.ts";
import type { ResultRecord } from "../results/result-record.ts";
import type { WireResult } from "../results/wire-result.ts";
import { orderReference, patientReference, specimenReference, toSpecimen } from "./lab-order.ts";
import type { CodeableConcept, FhirResource, Observation } from "./resources.ts";
import { systems } from "./systems.ts";

/** The result of an order, as stored and as returned. */
export interface ReportedOrder {
  readonly order: Order;
  readonly record: ResultRecord;
  readonly result: WireResult;
}

/** LOINC 11502-2 is "Laboratory report". */
const reportCode: CodeableConcept = { coding: [{ system: systems.loinc, code: "11502-2" }], text: "Laboratory report" };
/** Category of reports (HL7 v2 table 0074). */
const reportCategory: CodeableConcept = { coding: [{ system: systems.diagnosticSection, code: "LAB" }] };

/** The status of a DiagnosticReport (FHIR R4, diagnostic-report-status). */
export function reportStatus({ record, result }: ReportedOrder): "partial" | "final" | "corrected" {
  if (result.metadata.status !== "final") return "partial";
  return record.reports.some(({ status }) => status === "corrected") ? "corrected" : "final";
}

/** When the sample of a result was collected, else when it was reported. */
export const collectedAt = ({ metadata }: WireResult): string => metadata.date_collected ?? metadata.date_reported;

/** Converts the result of an order to a DiagnosticReport. @param values its Observations. */
export function toDiagnosticReport(reported: ReportedOrder, values: readonly Observation[]): FhirResource {
  const { order, record, result } = reported;
  const { laboratory, interpretation, date_reported } = result.metadata;
  const resource = {
    resourceType: "DiagnosticReport" as const,
    id: order.id,
    identifier: record.reports.map(({ report_id }) => ({ system: systems.labReportId, value: report_id })),
    basedOn: [orderReference(order)],
    status: reportStatus(reported),
    category: [reportCategory],
    code: { ...reportCode, text: `${reportCode.text}: ${order.lab_test.name}` },
    subject: patientReference(order.user_id),
    effectiveDateTime: collectedAt(result),
    issued: date_reported,
    ...(laboratory ? { performer: [{ display: laboratory }] } : {}),
    ...(toSpecimen(order, result) ? { specimen: [specimenReference(order)] } : {}),
    ...(values.length > 0
      ? { result: values.map(({ id }) => ({ reference: `Observation/${id}`, type: "Observation" })) }
      : {}),
    ...(interpretation && interpretation !== "unknown" ? { conclusion: `Interpretation: ${interpretation}` } : {}),
  };
  return resource;
}
