import { describe, expect, test } from "vitest";
import type { LabReport, ReportedPatient } from "../../../lib/domain/results/lab-report.ts";
import { type CandidateOrder, isSamePerson, matchReport } from "../../../lib/domain/results/match-report.ts";
import {
  acceptReview,
  newReview,
  ReviewRefused,
  resolveReview,
  reviewPayload,
} from "../../../lib/domain/results/match-review.ts";
import { wireMatchReview } from "../../../lib/domain/results/wire-match-review.ts";
import { wireUnmatchedResult } from "../../../lib/domain/results/wire-unmatched-result.ts";
import { ORDERED_AT } from "../orders/order-fixtures.ts";

const ada: ReportedPatient = {
  first_name: "Ada",
  last_name: "Sample",
  dob: "1990-05-17",
  gender: "female",
  patient_id: null,
};
const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

function order(more: Partial<CandidateOrder> = {}): CandidateOrder {
  return {
    order_id: uuid(1),
    user_id: uuid(3),
    order_transaction_id: uuid(4),
    lab: "quest",
    account_number: "1234567890",
    way: "walk_in_test",
    level: "requisition_created",
    sample_id: "S1",
    requisition: "REQ1",
    patient: ada,
    test_codes: ["483"],
    ...more,
  };
}

function report(more: Partial<LabReport> = {}): LabReport {
  const observation = {
    code: "GLU",
    loinc: "2345-7",
    name: "Glucose",
    test_code: "483",
    type: "numeric",
    value: "85",
    unit: null,
    reference_range: null,
    flag: "",
    status: "final",
    note: null,
    performing_laboratory: null,
  } as const;
  return {
    ...{
      lab: "quest",
      report_id: "F1",
      status: "final",
      requisition: null,
      sample_id: "S1",
      account_number: null,
      patient: ada,
    },
    ...{
      collected_at: null,
      received_at: null,
      reported_at: ORDERED_AT,
      clia_number: null,
      laboratory_name: null,
      observations: [observation],
    },
    ...more,
  };
}

const other = { ...ada, last_name: "Other" };
const unknownSample = { sample_id: "S7" };

describe("matching a report", () => {
  test.each([
    ["match_sample_id", {}, [order()]],
    ["match_sample_id", { sample_id: null, requisition: "REQ1" }, [order({ sample_id: null })]],
    ["match_sample_id", { status: "corrected" }, [order({ level: "completed" })]],
    ["match_completed", {}, [order({ level: "completed" })]],
    ["match_cancelled", {}, [order({ level: "cancelled" })]],
    ["wrong_collection", {}, [order({ way: "testkit", level: "with_customer" })]],
    ["match_sample_id_mismatch_demo", {}, [order({ patient: other })]],
    ["wrong_lab", { requisition: "REQ1" }, [order({ lab: "labcorp" })]],
    ["match_demo", unknownSample, [order()]],
    ["match_demo", unknownSample, [order(), order({ order_id: uuid(2), level: "cancelled" })]],
    ["multiple_demo_match", unknownSample, [order(), order({ order_id: uuid(2) })]],
    ["wrong_lab", unknownSample, [order({ lab: "labcorp" })]],
    ["match_completed", unknownSample, [order({ level: "completed" })]],
    ["match_cancelled", unknownSample, [order({ level: "cancelled" })]],
    ["wrong_collection", unknownSample, [order({ level: "ordered" })]],
    ["no_match", unknownSample, [order({ patient: other })]],
    ["no_match", {}, []],
    // A sample number identifies a sample only within its laboratory.
    ["no_match", {}, [order({ lab: "labcorp", patient: other })]],
  ] as const)("gives %s for report %j and orders %j", (code, about, orders) => {
    expect(matchReport(report(about), orders).code).toBe(code);
  });

  test("accepts any spelling of the name, unless the gender differs", () => {
    expect(isSamePerson(ada, { ...ada, first_name: "ADA", last_name: "Sam-ple", gender: "unknown" })).toBe(true);
    expect(isSamePerson(ada, { ...ada, gender: "male" })).toBe(false);
    expect(isSamePerson({ ...ada, dob: null }, { ...ada, dob: null })).toBe(false);
  });
});

function reviewOf(about: Partial<LabReport>, orders: readonly CandidateOrder[]) {
  const came = report(about);
  const decision = matchReport(came, orders);
  return newReview(
    came,
    decision,
    { id: uuid(9), lab: { id: 4, name: "A lab", slug: "quest" }, interpretation: "normal" },
    ORDERED_AT,
  );
}

describe("the review of a result with an uncertain order", () => {
  const review = reviewOf({ ...unknownSample, account_number: "999" }, [order()]);

  test("matches the published schema, and its event contains no patient data", () => {
    expect(wireUnmatchedResult.parse(review)).toEqual(review);
    expect(review).toMatchObject({
      status: "pending_customer_review",
      decision_code: "match_demo",
      sub_reason_codes: ["lab_account_mismatch"],
    });
    expect(review.candidate_groups).toMatchObject([
      {
        user_id: uuid(3),
        candidates: [
          {
            order_id: uuid(1),
            reasons: ["demographic_match", "same_lab", "lab_account_mismatch", "marker_overlap_exact"],
          },
        ],
      },
    ]);
    expect(wireMatchReview.strict().parse(reviewPayload(review))).toMatchObject({ id: uuid(9) });
  });

  test("is resolved by accepting the result for its only candidate order", () => {
    const accepted = acceptReview(review, {}, ORDERED_AT);
    expect(accepted).toMatchObject({
      status: "resolved",
      resolution_action: "accept",
      resolved_order_id: uuid(1),
      resolved_user_id: uuid(3),
      allowed_actions: [],
      reviewed_at: ORDERED_AT,
    });
    expect(() => resolveReview(accepted, "reject", null, ORDERED_AT)).toThrow(ReviewRefused);
  });

  test("requires one of several candidate orders, and accepts no other order", () => {
    const several = reviewOf(unknownSample, [order(), order({ order_id: uuid(2) })]);
    expect(() => acceptReview(several, {}, ORDERED_AT)).toThrow("give an order_id");
    expect(() => acceptReview(several, { order_id: uuid(8) }, ORDERED_AT)).toThrow(ReviewRefused);
    expect(acceptReview(several, { order_id: uuid(2), note: "Seen" }, ORDERED_AT)).toMatchObject({
      resolved_order_id: uuid(2),
      note: "Seen",
    });
  });

  test("can not be accepted without a candidate order", () => {
    for (const orders of [[], [order({ level: "cancelled" })], [order({ lab: "labcorp" })]]) {
      const rejected = reviewOf(unknownSample, orders);
      expect(rejected.allowed_actions).toEqual(["reject", "unsure"]);
      expect(() => acceptReview(rejected, { order_id: uuid(1) }, ORDERED_AT)).toThrow("does not allow");
      expect(resolveReview(rejected, "reject", "Not ours", ORDERED_AT)).toMatchObject({
        status: "resolved",
        resolution_action: "reject",
        resolved_order_id: null,
      });
    }
  });

  test("can be escalated once", () => {
    const unsure = resolveReview(review, "unsure", null, ORDERED_AT);
    expect(unsure).toMatchObject({ status: "pending_ops_review", allowed_actions: ["accept", "reject"] });
    expect(() => resolveReview(unsure, "unsure", null, ORDERED_AT)).toThrow(ReviewRefused);
    expect(acceptReview(unsure, {}, ORDERED_AT).status).toBe("resolved");
  });
});

describe("given names", () => {
  const named = (first_name: string, middle_names?: string): ReportedPatient => ({
    ...ada,
    first_name,
    ...(middle_names === undefined ? {} : { middle_names }),
  });

  test.each([
    ["Mary Ann", "Mary", "Ann", true],
    ["Mary Ann", "Mary Ann", undefined, true],
    ["Mary", "Mary", "Ann", true],
    ["Mary Ann", "Mary", undefined, false],
    ["Mary Ann", "Mary", "Jane", false],
    ["Ann", "Mary", "Ann", false],
  ])("%s and %s with the middle names %s are the same: %s", (ordered, first, middle, isSame) => {
    expect(isSamePerson(named(ordered), named(first, middle))).toBe(isSame);
  });
});
