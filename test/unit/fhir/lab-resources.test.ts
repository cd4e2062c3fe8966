import { describe, expect, test } from "vitest";
import { reportStatus, toDiagnosticReport } from "../../../lib/domain/fhir/diagnostic-report.ts";
import { requestStatus, toServiceRequest, toSpecimen } from "../../../lib/domain/fhir/lab-order.ts";
import { toResultObservations } from "../../../lib/domain/fhir/result-observation.ts";
import type { Order } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { toWireResult } from "../../../lib/domain/results/order-result.ts";
import type { ResultRecord, StoredObservation } from "../../../lib/domain/results/result-record.ts";

const at = "2026-05-01T08:00:00.000Z";
const lab_test = { id: "00000000-0000-4000-9000-000000000002", name: "Wellness", sample_type: "serum", lab: null };
const order = {
  id: "11111111-1111-4111-8111-111111111111",
  user_id: "22222222-2222-4222-8222-222222222222",
  created_at: at,
  updated_at: at,
  status: "completed",
  priority: true,
  patient_details: null,
  physician: { first_name: "Grace", last_name: "Sample", npi: "1234567893" },
  sample_id: null,
  lab_test,
} as unknown as Order;

const stored: StoredObservation = {
  ...{ code: "GLU", loinc: "2345-7", name: "Glucose", test_code: null, type: "numeric", value: "85", unit: "mg/dL" },
  ...{ reference_range: "70-99", flag: "", status: "final", note: null, performing_laboratory: null },
  ...{ reported_at: at, sample_id: null },
};

/** The first Observation of a result with one value. */
function observationOf(change: Partial<StoredObservation>) {
  const { result, record } = reportedWith([{ ...stored, ...change }]);
  return toResultObservations({ order, record, result })[0];
}

function reportedWith(
  observations: StoredObservation[],
  statuses: ResultRecord["reports"][number]["status"][] = ["final"],
) {
  const record = {
    order_id: order.id,
    reports: statuses.map((status, index) => ({ report_id: `R-${index}`, status, reported_at: at })),
    ...{ lab: "quest", requisition: null, sample_id: "S-1", account_number: null, clia_number: null },
    patient: { first_name: null, last_name: null, dob: null, gender: null, patient_id: null },
    ...{ collected_at: null, received_at: null, reported_at: at, laboratory_name: "Laboratory" },
    observations,
  } satisfies ResultRecord;
  return { order, record, result: toWireResult(order, record, []) };
}

describe("the value of a result", () => {
  test.each([
    [{ value: "85" }, { valueQuantity: { value: 85, unit: "mg/dL", code: "mg/dL" } }],
    [{ value: "<5" }, { valueQuantity: { value: 5, comparator: "<" } }],
    [{ value: ">= 60.5" }, { valueQuantity: { value: 60.5, comparator: ">=" } }],
    [{ value: "1:40" }, { valueString: "1:40" }],
    [{ type: "range", value: "2-5" }, { valueRange: { low: { value: 2, unit: "mg/dL" }, high: { value: 5 } } }],
    [{ type: "range", value: "-2--1.5" }, { valueRange: { low: { value: -2 }, high: { value: -1.5, code: "mg/dL" } } }],
    [{ type: "range", value: "<5" }, { valueQuantity: { value: 5, comparator: "<", unit: "mg/dL" } }],
    [{ type: "range", value: "5-2" }, { valueString: "5-2" }],
    [{ type: "comment", value: "Clotted" }, { valueString: "Clotted" }],
    [{ type: "coded_value", value: "Negative" }, { valueCodeableConcept: { text: "Negative" } }],
    [{ value: " " }, { dataAbsentReason: { coding: [{ code: "unknown" }] } }],
  ] as const)("%j becomes %j", (change, expected) => {
    expect(observationOf(change)).toMatchObject(expected);
  });

  test("has a UCUM code only if the unit is written in UCUM", () => {
    expect(observationOf({ unit: "x10E3/uL" })?.valueQuantity).toEqual({ value: 85, unit: "x10E3/uL" });
    expect(observationOf({ unit: null })?.valueQuantity).toEqual({ value: 85 });
  });

  test("has LOINC and the laboratory's own code, or the latter alone", () => {
    const codes = (change: Partial<StoredObservation>) => observationOf(change)?.code.coding?.map(({ code }) => code);
    expect(codes({})).toEqual(["2345-7", "GLU"]);
    expect(codes({ loinc: null })).toEqual(["GLU"]);
    expect(codes({ code: "2345-7" })).toEqual(["2345-7"]);
    expect(observationOf({ loinc: null })?.id).not.toBe(observationOf({})?.id);
  });
});

describe("the interpretation of a result", () => {
  test.each([
    [{ value: "85" }, "N"],
    [{ value: "120" }, "H"],
    [{ value: "40" }, "L"],
    [{ value: "120", flag: "HH" }, "HH"],
    [{ value: "40", flag: "LL" }, "LL"],
    [{ value: "85", flag: "A" }, "A"],
    [{ value: "85", flag: "AA" }, "AA"],
    [{ value: "85", reference_range: null }, undefined],
  ] as const)("of %j is %s", (change, code) => {
    expect(observationOf(change)?.interpretation?.[0]?.coding?.[0]?.code).toBe(code);
  });

  test.each([
    ["70-99", { low: { value: 70, unit: "mg/dL" }, high: { value: 99 }, text: "70-99" }],
    ["<0.35", { high: { value: 0.35 }, text: "<0.35" }],
    ["Negative", { text: "Negative" }],
  ])("has the range %s", (reference_range, expected) => {
    expect(observationOf({ reference_range })?.referenceRange).toMatchObject([expected]);
  });

  test("has no range without one", () => {
    expect(observationOf({ reference_range: null })).not.toHaveProperty("referenceRange");
  });
});

test.each([
  [["partial"], "partial"],
  [["partial", "final"], "final"],
  [["final", "corrected"], "corrected"],
] as const)("reports %j make a DiagnosticReport that is %s", (statuses, expected) => {
  const reported = reportedWith([stored], [...statuses]);
  expect(reportStatus(reported)).toBe(expected);
  const report = toDiagnosticReport(reported, toResultObservations(reported));
  expect(report).toMatchObject({
    status: expected,
    result: [{ reference: `Observation/${order.id}.lab-${digest()}` }],
  });
});
const digest = () => observationOf({})?.id.split("lab-")[1];

test("a cancelled value has no Observation", () => {
  const reported = reportedWith([{ ...stored, loinc: "1-8", status: "cancelled" }, stored]);
  expect(toResultObservations(reported).map(({ code }) => code.coding?.[0]?.code)).toEqual(["2345-7"]);
});

test.each([
  ["received", "active"],
  ["sample_with_lab", "active"],
  ["completed", "completed"],
  ["cancelled", "revoked"],
  ["failed", "revoked"],
  [null, "unknown"],
] as const)("an order that is %s is a ServiceRequest that is %s", (status, expected) => {
  expect(requestStatus({ ...order, status })).toBe(expected);
});

test("an urgent order names its physician, and has a Specimen once it has a sample", () => {
  expect(toServiceRequest(order)).toMatchObject({
    priority: "urgent",
    requester: { identifier: { value: "1234567893" } },
  });
  expect(toSpecimen(order, undefined)).toBeUndefined();
  const { result } = reportedWith([stored]);
  expect(toSpecimen(order, result)).toMatchObject({ accessionIdentifier: { value: "S-1" }, type: { text: "serum" } });
});
