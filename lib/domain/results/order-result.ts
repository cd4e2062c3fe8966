import type * as z from "zod";
import type { ResultUpdate } from "../orders/lifecycle/apply-updates.ts";
import type { Order } from "../orders/lifecycle/order-transitions.ts";
import { yearsBetween } from "../orders/placement/patient-draft.ts";
import type { wireCriticalResult } from "../orders/wire-order.ts";
import { interpretObservation } from "./interpret-observation.ts";
import { type Interpretation, worstInterpretation } from "./interpretation.ts";
import { type ExpectedResult, findMissingResults } from "./missing-results.ts";
import type { TestedPerson } from "./reference-range.ts";
import { isFinalResult, type ResultRecord, type StoredObservation } from "./result-record.ts";
import type { BiomarkerResult, WireResult } from "./wire-result.ts";

const overallInterpretation = (results: readonly BiomarkerResult[]): Interpretation =>
  worstInterpretation(results.map(({ interpretation }) => interpretation));

/** Converts stored results. @param expected expected results of the ordered markers, which also provide the names. */
export function toWireResult(order: Order, record: ResultRecord, expected: readonly ExpectedResult[]): WireResult {
  const person = testedPersonOf(order, record);
  const byLoinc = new Map(expected.map((result) => [result.loinc, result]));
  const values = record.observations.filter(({ status }) => status !== "cancelled");
  const results = values.map((value) => toResult(value, person, byLoinc.get(value.loinc ?? "")));
  return {
    metadata: metadataOf(order, record, person, overallInterpretation(results)),
    results,
    missing_results: isFinalResult(record) ? findMissingResults(record, expected) : null,
    sample_information: record.sample_id === null ? null : { [record.sample_id]: sampleOf(record) },
    order_transaction: order.order_transaction,
  };
}

/** Summarizes results for their order; see `applyResultUpdate`. */
export function toResultUpdate(result: WireResult, status: ResultUpdate["status"]): ResultUpdate {
  return {
    status,
    interpretation: overallInterpretation(result.results),
    hasMissingResults: (result.missing_results ?? []).length > 0,
  };
}

/** Event payload of a critical result; undefined for any other result. */
export function toCriticalResult(order: Order, at: string): z.output<typeof wireCriticalResult> | undefined {
  if (order.interpretation !== "critical") return undefined;
  return {
    order_id: order.id,
    sample_id: order.sample_id ?? "",
    status: order.last_event.status,
    interpretation: order.interpretation,
    team_id: order.team_id,
    user_id: order.user_id,
    created_at: order.created_at,
    updated_at: at,
  };
}

/** Sex and age of the patient at the collection of the sample. */
export function testedPersonOf(
  order: Pick<Order, "patient_details">,
  { patient, collected_at, reported_at }: Pick<ResultRecord, "patient" | "collected_at" | "reported_at">,
): TestedPerson {
  const dob = order.patient_details?.dob.slice(0, 10) ?? patient.dob;
  const day = (collected_at ?? reported_at).slice(0, 10);
  return {
    sex: order.patient_details?.gender ?? patient.gender,
    age: dob === null ? null : yearsBetween(dob, day),
  };
}

function toResult(
  value: StoredObservation,
  person: TestedPerson,
  expected: ExpectedResult | undefined,
): BiomarkerResult {
  const reading = interpretObservation(value, person);
  return {
    name: expected?.name ?? value.name,
    slug: expected?.slug ?? value.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
    value: reading.number ?? -1,
    result: value.value,
    type: value.type,
    unit: value.unit,
    timestamp: value.reported_at,
    notes: value.note,
    reference_range: value.reference_range,
    min_range_value: reading.min,
    max_range_value: reading.max,
    is_above_max_range: reading.isAbove,
    is_below_min_range: reading.isBelow,
    interpretation: reading.interpretation,
    source_interpretation: value.flag,
    loinc: value.loinc,
    loinc_slug: expected?.loinc_slug ?? null,
    provider_id: value.test_code ?? expected?.source.provider_id ?? null,
    source_markers: expected ? [expected.source] : null,
    performing_laboratory: value.performing_laboratory,
    source_sample_id: value.sample_id,
  };
}

function metadataOf(
  order: Order,
  record: ResultRecord,
  { age }: TestedPerson,
  interpretation: Interpretation,
): WireResult["metadata"] {
  const { patient_details: patient, physician } = order;
  const names = [
    patient?.first_name ?? record.patient.first_name,
    patient?.last_name ?? record.patient.last_name,
  ].filter((name) => name !== null);
  return {
    age: age === null ? "" : String(age),
    dob: patient?.dob.slice(0, 10) ?? record.patient.dob ?? "",
    "clia_#": record.clia_number,
    patient: names.join(" "),
    provider: physician ? `${physician.first_name} ${physician.last_name}` : null,
    laboratory: record.laboratory_name ?? order.lab_test.lab?.name ?? null,
    date_reported: record.reported_at,
    date_collected: record.collected_at,
    specimen_number: record.sample_id ?? order.sample_id ?? "",
    date_received: record.received_at,
    status: isFinalResult(record) ? "final" : "partial",
    interpretation,
    patient_id: record.patient.patient_id,
    account_id: record.account_number,
  };
}

function sampleOf({ sample_id, reports, collected_at, received_at, reported_at }: ResultRecord) {
  return {
    sample_id,
    control_number: reports.at(-1)?.report_id ?? null,
    date_collected: collected_at,
    date_received: received_at,
    date_reported: reported_at,
  };
}
