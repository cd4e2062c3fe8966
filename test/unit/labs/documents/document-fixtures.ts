import type { Insurance } from "../../../../lib/domain/insurance/insurance.ts";
import { type PartnerOrder, requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import type { Order } from "../../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { newOrder } from "../../../../lib/domain/orders/placement/new-order.ts";
import { toOrderPlacement } from "../../../../lib/domain/orders/placement/order-placement.ts";
import type { Observation } from "../../../../lib/domain/results/lab-report.ts";
import { type ExpectedResult, findMissingResults } from "../../../../lib/domain/results/missing-results.ts";
import { toWireResult } from "../../../../lib/domain/results/order-result.ts";
import { mergeReport, type ResultRecord } from "../../../../lib/domain/results/result-record.ts";
import type { WireResult } from "../../../../lib/domain/results/wire-result.ts";
import {
  createDraft,
  createLabTest,
  createOrderContext,
  glucoseMarker,
  ORDERED_AT,
  patientAddress,
  patientDetails,
} from "../../orders/order-fixtures.ts";

export const createdAtMs = Date.parse("2026-05-01T08:00:00Z");

/** Patient data that no document needs. */
export const undisclosedFields = {
  email: "private.mail@example.com",
  race: "Race kept private",
  ethnicity: "Ethnicity kept private",
  sexual_orientation: "Orientation kept private",
  gender_identity: "Identity kept private",
  access_notes: "Gate code 12",
  household_income: 765_432,
};

const { access_notes, ...background } = undisclosedFields;

type Marker = NonNullable<Order["lab_test"]["markers"]>[number];

const question = { id: 1, required: true, code: "FASTING", sequence: 1, constraint: null, default: null };

/** Markers with codes, prices and questions of several kinds. */
export function createMarkers(
  count: number,
  names: (index: number) => string = (index) => `Marker ${index + 1}`,
): Marker[] {
  return Array.from({ length: count }, (_, index) => ({
    ...glucoseMarker,
    id: 100 + index,
    name: names(index),
    provider_id: String(7000 + index),
    price: (5 + index / 4).toFixed(2),
    type: index % 5 === 0 ? "panel" : "biomarker",
    aoe: index === 0 ? { questions: [choice, several, open] } : null,
  }));
}

const choice = {
  ...question,
  type: "choice",
  value: "Have you fasted for at least 8 hours?",
  answers: [
    { id: 101, code: "Y", value: "Yes" },
    { id: 102, code: "N", value: "No" },
  ],
};
const several = {
  ...question,
  id: 2,
  type: "multi_choice",
  value: "Which blood thinners do you take?",
  answers: [
    { id: 401, code: "WARFARIN", value: "Warfarin" },
    { id: 402, code: "HEPARIN", value: "Heparin" },
  ],
};
const open = { ...question, id: 3, type: "text", value: "When was the last dose taken?", answers: [] };

/** The options of an order. */
export interface OrderOptions {
  readonly markers: readonly Marker[];
  readonly lab?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly more?: Record<string, unknown>;
  readonly order?: Partial<Order>;
}

/** An order as it is sent to a laboratory. */
export function createPartnerOrder(wish: OrderOptions): PartnerOrder {
  const { first_name = patientDetails.first_name, last_name = patientDetails.last_name, lab = "quest" } = wish;
  const orderDraft = createDraft({
    patient_details: { ...patientDetails, ...background, first_name, last_name },
    patient_address: { ...patientAddress, access_notes },
    physician: { first_name: "Grace", last_name: "Physician", npi: "1234567893" },
    icd_codes: ["E11.9", "Z00.00"],
    aoe_answers: [
      { marker_id: 100, question_id: 1, answer: "Y" },
      { marker_id: 100, question_id: 2, answer: "WARFARIN, HEPARIN" },
      { marker_id: 100, question_id: 3, answer: "Yesterday at noon" },
    ],
    clinical_notes: "Please draw from the left arm.",
    ...wish.more,
  });
  const price = wish.markers.reduce((total, { price: one }) => total + Number(one), 0);
  const test = {
    ...createLabTest("walk_in_test", lab),
    name: "Annual health panel",
    markers: [...wish.markers],
    price,
  };
  const order = {
    ...newOrder(orderDraft, createOrderContext("walk_in_test", { labTest: test }), ORDERED_AT),
    ...wish.order,
  };
  const account = { id: order.team_id, provider_account_id: "1234567890" };
  return {
    order,
    placement: toOrderPlacement(orderDraft, order.id, account),
    requisition: requisitionNumber(order.id),
  };
}

const insured = {
  first_name: "Ada",
  last_name: "Sample",
  gender: "female",
  dob: "1990-05-17",
  email: undisclosedFields.email,
  phone_number: patientDetails.phone_number,
};
const place = { ...patientAddress, second_line: null, zip_code: patientAddress.zip };

export const exampleInsurance: Insurance = {
  id: "99999999-0000-4000-8000-000000000000",
  created_at: ORDERED_AT,
  member_id: "MEM-778899",
  payor_code: "60054",
  relationship: "Self",
  insured: { ...insured, address: place },
  company: { name: "Desert Health Plan", address: place },
  group_id: "GRP-12",
  guarantor: null,
  is_primary: true,
};

/** An observation of a report. */
export function createObservation(index: number, more: Partial<Observation> = {}): Observation {
  return {
    code: `C${String(index).padStart(3, "0")}`,
    loinc: null,
    name: `Measure ${index + 1}`,
    test_code: String(7000 + index),
    type: "numeric",
    value: String(70 + index),
    unit: "mg/dL",
    reference_range: "70-99",
    flag: "",
    status: "final",
    note: null,
    performing_laboratory: "Phoenix Main Laboratory",
    ...more,
  };
}

/** A result record with one report of these observations. */
export function createResultRecord(
  order: Order,
  observations: Observation[],
  status: "partial" | "final",
): ResultRecord {
  return mergeReport(undefined, order.id, {
    lab: "quest",
    report_id: "F1",
    status,
    requisition: requisitionNumber(order.id),
    sample_id: "S-2026-0001",
    account_number: "1234567890",
    patient: { first_name: "Ada", last_name: "Sample", dob: "1990-05-17", gender: "female", patient_id: "P-77" },
    collected_at: "2026-04-28T07:45:00-07:00",
    received_at: "2026-04-29T02:10:00Z",
    reported_at: "2026-04-30T16:20:00Z",
    clia_number: "03D0000001",
    laboratory_name: "Example Reference Laboratory",
    observations,
  });
}

/** The wire result of a record, with the given results expected in addition. */
export function createWireResult(
  order: Order,
  record: ResultRecord,
  missing: readonly ExpectedResult[] = [],
): WireResult {
  const result = toWireResult(order, record, []);
  return {
    ...result,
    missing_results: missing.length === 0 ? result.missing_results : findMissingResults(record, missing),
  };
}

/** A result that an order expects. */
export const expectedResult = (loinc: string, name: string): ExpectedResult => ({
  name,
  slug: "expected",
  loinc,
  loinc_slug: "expected",
  required: true,
  source: { marker_id: 100, name, slug: "expected", provider_id: "7000" },
});
