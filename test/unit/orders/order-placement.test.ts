import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withSampleId, withShipmentTracking } from "../../../lib/domain/orders/lifecycle/order-commands.ts";
import {
  lowLevelStatus,
  OrderTransitionRefused,
  transitionTo,
  workflowOf,
} from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { checkAoeAnswers, mergeAoeAnswers } from "../../../lib/domain/orders/placement/check-aoe-answers.ts";
import {
  checkOrder,
  checkOrderSet,
  checkRecreation,
  type OrderCheckContext,
} from "../../../lib/domain/orders/placement/check-order.ts";
import { clinicalNotes } from "../../../lib/domain/orders/placement/clinical-notes.ts";
import { isDueForDispatch, newOrder, registerKit } from "../../../lib/domain/orders/placement/new-order.ts";
import { isNpi } from "../../../lib/domain/orders/placement/npi.ts";
import {
  importDraft,
  kitRegistration,
  orderDraft,
  orderPatch,
  registrableKitDraft,
} from "../../../lib/domain/orders/placement/order-draft.ts";
import { yearsBetween } from "../../../lib/domain/orders/placement/patient-draft.ts";
import { wireOrder } from "../../../lib/domain/orders/wire-order.ts";
import {
  createDraft,
  createImportedOrder,
  createLabTest,
  createOrderContext,
  createPlacedOrder,
  glucoseMarker,
  ORDERED_AT,
  patientAddress,
  patientDetails,
} from "./order-fixtures.ts";

const context: OrderCheckContext = {
  labTest: createLabTest("walk_in_test"),
  account: { allowed_billing: { client_bill: ["AZ"], commercial_insurance: ["AZ"] } },
  today: "2026-03-02",
  allowsMinors: false,
  hasInsurance: false,
};
/** The fields for which a draft is rejected. */
const refusedAt = (more: Record<string, unknown>, about: Partial<OrderCheckContext> = {}) =>
  checkOrder(createDraft(more), { ...context, ...about }).map(({ loc }) => loc.join("."));
const isTaken = (more: Record<string, unknown>) => {
  const given = {
    user_id: createOrderContext("walk_in_test").userId,
    patient_details: patientDetails,
    patient_address: patientAddress,
    ...more,
  };
  return orderDraft.safeParse(given).success;
};

describe("a National Provider Identifier", () => {
  test("has ten digits, the last of them a check digit computed with the prefix 80840", () => {
    // 1234567893 is the example in the published standard.
    expect(isNpi("1234567893")).toBe(true);
    expect(["1234567890", "3234567893", "123456789", "12345678931", "123456789a"].some(isNpi)).toBe(false);
  });

  test("is invalid after one digit changes, or two adjacent digits swap", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), (place, digit) => {
        const digits = [..."1234567893"];
        fc.pre(digits[place] !== String(digit));
        digits[place] = String(digit);
        expect(isNpi(digits.join(""))).toBe(false);
      }),
    );
    expect(isNpi("1234567983")).toBe(false);
  });
});

describe("a valid order", () => {
  test("has names that laboratories accept, a state and zip code, and consents in camel case", () => {
    expect(isTaken({})).toBe(true);
    expect(isTaken({ consents: [{ consentType: "privacy-policy", timeOfConsent: ORDERED_AT }] })).toBe(true);
    const wrong = [
      { patient_details: { ...patientDetails, first_name: "Zoë" } },
      { patient_details: { ...patientDetails, last_name: "" } },
      { patient_details: { ...patientDetails, email: "ada" } },
      { patient_details: { ...patientDetails, phone_number: "12" } },
      { patient_address: { ...patientAddress, zip: "8500" } },
      { patient_address: { ...patientAddress, state: "ZZ" } },
      { patient_address: { ...patientAddress, access_notes: "x".repeat(1_001) } },
      { clinical_notes: "x".repeat(1_001) },
      { physician: { first_name: "A", last_name: "B", npi: "1234567890" } },
      { icd_codes: ["not a code"] },
      { billing_type: "barter" },
      { consents: [{ consent_type: "privacy-policy" }] },
      { collection_method: "by_post" },
      { activate_by: "tomorrow" },
    ];
    expect(wrong.filter(isTaken)).toEqual([]);
  });

  test("has its sample number and its original address when it is imported", () => {
    const given = {
      ...{
        user_id: createOrderContext("walk_in_test").userId,
        billing_type: "client_bill",
        order_set: { lab_test_ids: [createOrderContext("walk_in_test").orderId] },
      },
      ...{ collection_method: "testkit", patient_details: patientDetails, sample_id: "S1" },
      patient_address: { ...patientAddress, state: "Arizona", zip: "AZ 85004" },
    };
    expect(importDraft.safeParse(given).success).toBe(true);
    expect(importDraft.safeParse({ ...given, sample_id: "" }).success).toBe(false);
    expect(importDraft.safeParse({ ...given, billing_type: undefined }).success).toBe(false);
  });

  test("has a shipping address for a registrable kit, and the patient at registration", () => {
    const given = {
      user_id: createOrderContext("walk_in_test").userId,
      lab_test_id: createOrderContext("walk_in_test").orderId,
    };
    const shipping_details = {
      ...patientAddress,
      receiver_name: "Ada Sample",
      phone_number: patientDetails.phone_number,
    };
    expect(registrableKitDraft.safeParse({ ...given, shipping_details }).success).toBe(true);
    const nobody = { ...shipping_details, receiver_name: "" };
    expect(registrableKitDraft.safeParse({ ...given, shipping_details: nobody }).success).toBe(false);
    const registration = { sample_id: "S1", patient_details: patientDetails, patient_address: patientAddress };
    expect(kitRegistration.safeParse(registration).success).toBe(true);
    expect(kitRegistration.safeParse({ ...registration, sample_id: undefined }).success).toBe(false);
    expect([{ activate_by: null }, {}].map((patch) => orderPatch.safeParse(patch).success)).toEqual([true, false]);
  });

  test("stores diagnosis codes in capitals with their dots", () => {
    expect(createDraft({ icd_codes: ["e119", "Z00.00"] }).icd_codes).toEqual(["E11.9", "Z00.00"]);
  });

  test("is created with all fields of the published order", () => {
    const order = newOrder(
      createDraft({ clinical_notes: "Fasting", passthrough: "p", priority: true }),
      createOrderContext("testkit", { defaultNotes: "Call us" }),
      ORDERED_AT,
    );
    expect(wireOrder.parse(order)).toEqual(order);
    expect(order).toMatchObject({
      status: "received",
      clinical_notes: "Fasting\nCall us",
      passthrough: "p",
      priority: true,
      origin: "initial",
      shipping_details: { receiver_name: "Ada Sample", phone_number: "+16025550123", state: "AZ" },
      patient_address: { access_notes: "Gate code 12" },
      last_event: { status: "received.testkit.ordered", status_detail: null },
    });
  });

  test("has a shipment only when its workflow uses a kit", () => {
    expect(createPlacedOrder("walk_in_test").shipping_details).toBeNull();
  });

  test("is dispatched at once, or on its activation date", () => {
    expect(isDueForDispatch(createPlacedOrder("testkit"), "2026-03-02")).toBe(true);
    const waiting = createPlacedOrder("testkit", { activate_by: "2026-03-04" });
    expect(["2026-03-03", "2026-03-04"].map((today) => isDueForDispatch(waiting, today))).toEqual([false, true]);
    expect(
      isDueForDispatch(transitionTo(createPlacedOrder("testkit"), "requisition_created", ORDERED_AT), "2026-03-02"),
    ).toBe(false);
  });

  test("starts without a requisition and with its sample number when it is imported", () => {
    expect(createImportedOrder("walk_in_test")).toMatchObject({
      sample_id: "S1",
      last_event: { status: "received.walk_in_test.requisition_bypassed" },
    });
  });
});

describe("an order is rejected", () => {
  test("for a minor without a proxy, or by a team that may not order for minors", () => {
    const minor = { patient_details: { ...patientDetails, dob: "2010-01-01" } };
    expect(refusedAt(minor)).toEqual(["body.patient_details.dob"]);
    expect(refusedAt(minor, { allowsMinors: true })).toEqual(["body.patient_details.medical_proxy"]);
    const medical_proxy = { ...patientDetails, address: patientAddress };
    expect(refusedAt({ patient_details: { ...minor.patient_details, medical_proxy } }, { allowsMinors: true })).toEqual(
      [],
    );
    expect(refusedAt({ patient_details: { ...patientDetails, dob: "2026-03-03" } })).toEqual([
      "body.patient_details.dob",
    ]);
  });

  test.each([
    ["for another collection method than its lab test", { collection_method: "testkit" }, "body.collection_method"],
    ["for an activation date in the past", { activate_by: "2026-03-01" }, "body.activate_by"],
    ["for a billing type that the account does not allow", { billing_type: "patient_bill" }, "body.billing_type"],
    ["for insurance billing without an insurance", { billing_type: "commercial_insurance" }, "body.health_insurance"],
    [
      "for insurance billing with a diagnosis alone",
      { billing_type: "commercial_insurance", health_insurance: { diagnosis_codes: ["E11.9"] } },
      "body.health_insurance",
    ],
    [
      "for insurance billing with a payor and no member id",
      { billing_type: "commercial_insurance", health_insurance: { payor_code: "AETNA" } },
      "body.health_insurance.insurance_id",
    ],
    [
      "for insurance billing with a payor and an empty member id",
      { billing_type: "commercial_insurance", health_insurance: { payor_code: "AETNA", insurance_id: " " } },
      "body.health_insurance.insurance_id",
    ],
  ])("%s", (_, more, loc) => {
    expect(refusedAt(more)).toEqual([loc]);
  });

  test("for the insurance of another person who is not named", () => {
    const ofSpouse = { payor_code: "AETNA", insurance_id: "M1", responsible_relationship: "Spouse" };
    const placed = (responsible_details?: Record<string, string>) =>
      refusedAt({
        billing_type: "commercial_insurance",
        health_insurance: { ...ofSpouse, responsible_details },
      });
    for (const details of [undefined, {}, { first_name: "Grace", last_name: " " }]) {
      expect(placed(details)).toEqual(["body.health_insurance.responsible_details"]);
    }
    expect(placed({ first_name: "Grace", last_name: "Sample" })).toEqual([]);
  });

  test("unless the user has an insurance, for insurance billing", () => {
    const billing_type = "commercial_insurance";
    expect(refusedAt({ billing_type }, { hasInsurance: true })).toEqual([]);
    const ofPayor = { billing_type, health_insurance: { payor_code: "AETNA" } };
    expect(refusedAt(ofPayor, { hasInsurance: true })).toEqual([]);
    expect(refusedAt({ health_insurance: { payor_code: "AETNA" } })).toEqual([]);
  });

  test("without a lab test, or with one both alone and in a set", () => {
    const set = { lab_test_ids: [createOrderContext("walk_in_test").orderId] };
    expect(checkOrderSet({})).toHaveLength(1);
    expect(checkOrderSet({ order_set: {} })).toHaveLength(1);
    expect(checkOrderSet({ lab_test_id: createOrderContext("walk_in_test").orderId, order_set: set })).toHaveLength(1);
    expect(checkOrderSet({ order_set: set })).toEqual([]);
  });
});

describe("answers to the questions of markers", () => {
  const question = (id: number, type: string, required: boolean) => ({
    ...{ id, type, required, code: "Q", value: "?", sequence: id, constraint: null, default: null },
    answers: ["Y", "N"].map((code, place) => ({ id: place, code, value: code })),
  });
  const asking = {
    ...glucoseMarker,
    aoe: {
      questions: [question(1, "choice", true), question(2, "numeric", false), question(3, "multi_choice", false)],
    },
  };
  const given = (...answers: [number, string][]) =>
    answers.map(([question_id, answer]) => ({ marker_id: 7, question_id, answer }));
  const reasons = (...answers: [number, string][]) =>
    checkAoeAnswers([asking], given(...answers)).map(({ msg }) => msg);

  test("are accepted when they are complete and match the offered choices and types", () => {
    expect(reasons([1, "Y"], [2, "1.5"], [3, "Y, N"])).toEqual([]);
    expect(reasons([1, "Y"])).toEqual([]);
  });

  test("are rejected when one is missing, unknown, repeated, or of the wrong type", () => {
    expect(reasons()).toEqual(["Question 1 of marker 7 needs an answer"]);
    expect(reasons([1, ""])).toEqual(["An answer is required"]);
    expect(reasons([1, "Maybe"])).toEqual(["Not one of the offered answers"]);
    expect(reasons([1, "Y"], [1, "N"])).toEqual(["The question has two answers"]);
    expect(reasons([1, "Y"], [2, "many"], [3, "Y,Z"], [4, "?"])).toEqual([
      "Not a number",
      "Not one of the offered answers",
      "Unknown question",
    ]);
  });
});

describe("the answer to a question for a number", () => {
  const question = { id: 1, type: "numeric", required: false, code: "Q", value: "?", sequence: 1, constraint: null };
  const marker = { ...glucoseMarker, aoe: { questions: [{ ...question, default: null, answers: [] }] } };
  const isRefused = (answer: string) =>
    checkAoeAnswers([marker], [{ marker_id: 7, question_id: 1, answer }]).length > 0;

  test("is a decimal number", () => {
    for (const answer of ["0", "-5", "+1.5", ".5", "007", " 12 "])
      expect([answer, isRefused(answer)]).toEqual([answer, false]);
    for (const answer of ["0x10", "0b1", "1e3", "Infinity", "1.", "1,5", "."])
      expect([answer, isRefused(answer)]).toEqual([answer, true]);
  });
});

describe("the constraint of a question", () => {
  const reasons = (type: string, constraint: string, answers: readonly string[]) => {
    const question = { id: 1, type, required: false, code: "Q", value: "?", sequence: 1, constraint, default: null };
    const marker = { ...glucoseMarker, aoe: { questions: [{ ...question, answers: [] }] } };
    return answers.map((answer) => checkAoeAnswers([marker], [{ marker_id: 7, question_id: 1, answer }])[0]?.msg);
  };

  test("limits a number", () => {
    const outside = "Not between 0 and 10000";
    const given = ["-5", "0", "10000", "99999", ""];
    expect(reasons("numeric", "0..10000", given)).toEqual([outside, undefined, undefined, outside, undefined]);
    expect(reasons("numeric", "-1.5..1.5", ["-2", "-1.5"])).toEqual(["Not between -1.5 and 1.5", undefined]);
  });

  test("requires the form of a date or a time", () => {
    const date = "Not in the form YYYY-MM-DD";
    expect(reasons("text", "YYYY-MM-DD", ["bogus", "2026-02-30", "2026-02-28"])).toEqual([date, date, undefined]);
    const time = "Not in the form YYYY-MM-DD HH:MM";
    const times = ["bogus", "2026-02-28", "2026-02-28 24:30", "2026-02-28 23:30", "2026-02-28 23:30:00"];
    expect(reasons("text", "YYYY-MM-DD HH:MM", times)).toEqual([time, time, time, undefined, time]);
  });

  test("in another form is a hint alone", () => {
    expect(reasons("text", "at most 10 words", ["bogus"])).toEqual([undefined]);
    expect(reasons("numeric", "even", ["3"])).toEqual([undefined]);
  });
});

describe("an order at another laboratory", () => {
  const question = (id: number) => ({
    ...{ id, type: "text", required: true, code: "Q", value: "?", sequence: id, constraint: null, default: null },
    answers: [],
  });
  const asking = (id: number) => ({ ...glucoseMarker, id, aoe: { questions: [question(1), question(2)] } });
  const answer = (marker_id: number, question_id: number, text: string) => ({ marker_id, question_id, answer: text });

  test("keeps the answers to questions that are still asked, unless they are given anew", () => {
    const former = [answer(7, 1, "old"), answer(7, 2, "old"), answer(8, 1, "old")];
    const merged = mergeAoeAnswers([asking(7)], [answer(7, 2, "new")], former);
    expect(merged).toEqual([answer(7, 2, "new"), answer(7, 1, "old")]);
  });

  test("is rejected without answers, or in a state where its lab account does not bill", () => {
    const placed = createPlacedOrder("walk_in_test");
    const refused = (account: OrderCheckContext["account"], given: readonly ReturnType<typeof answer>[]) =>
      checkRecreation(placed, given, { labTest: { ...context.labTest, markers: [asking(7)] }, account });
    const complete = [answer(7, 1, "yes"), answer(7, 2, "no")];
    expect(refused(context.account, complete)).toEqual([]);
    const problems = refused({ allowed_billing: { client_bill: ["CA"] } }, []);
    expect(problems.map(({ loc }) => loc.join("."))).toEqual([
      "body.lab_account_id",
      "body.aoe_answers",
      "body.aoe_answers",
    ]);
    const unregistered = createPlacedOrder("registrable_testkit");
    expect(checkRecreation(unregistered, [], { ...context, account: { allowed_billing: {} } })).toEqual([]);
  });
});

describe("the comment of a requisition", () => {
  test.each(["labcorp", "quest", "sonora_quest", "bioreference"])(
    "at %s contains the account's default on a separate line",
    (lab) => {
      expect(clinicalNotes(lab, "Mine", "Theirs")).toBe("Mine\nTheirs");
      expect(clinicalNotes(lab, null, "Theirs")).toBe("Theirs");
    },
  );

  test("at other laboratories is the order's own comment", () => {
    expect(clinicalNotes("ussl", "Mine", "Theirs")).toBe("Mine");
    expect(clinicalNotes("ussl", " ", "Theirs")).toBeNull();
  });
});

describe("a registered kit", () => {
  const { patient_details, patient_address } = createDraft();
  const registration = { sample_id: "S9", consents: [], patient_details, patient_address };
  const sent = (["awaiting_registration", "transit_customer", "out_for_delivery", "with_customer"] as const).reduce(
    (order, level) => transitionTo(order, level, ORDERED_AT),
    createPlacedOrder("registrable_testkit"),
  );

  test("has its patient and sample, and keeps its workflow", () => {
    const registered = registerKit(sent, registration, null, ORDERED_AT);
    expect(registered).toMatchObject({ sample_id: "S9", patient_details: { first_name: "Ada" } });
    expect(workflowOf(registered)).toBe("registrable_testkit");
    expect(lowLevelStatus(transitionTo(registered, "requisition_created", ORDERED_AT))).toBe("requisition_created");
    expect(wireOrder.safeParse(registered).success).toBe(true);
  });

  test("must be a registrable kit and is registered once", () => {
    expect(() => registerKit(createPlacedOrder("testkit"), registration, null, ORDERED_AT)).toThrow(
      OrderTransitionRefused,
    );
    expect(() =>
      registerKit(registerKit(sent, registration, null, ORDERED_AT), registration, null, ORDERED_AT),
    ).toThrow(OrderTransitionRefused);
  });
});

describe("partner updates of an order", () => {
  test("set the tracking numbers of its kit", () => {
    const tracked = withShipmentTracking(
      createPlacedOrder("testkit"),
      { outbound_courier: "usps", outbound_tracking_number: "9400" },
      ORDERED_AT,
    );
    expect(tracked.details).toMatchObject({ data: { shipment: { outbound_courier: "usps", inbound_courier: null } } });
    expect(withShipmentTracking(createPlacedOrder("walk_in_test"), { notes: "x" }, ORDERED_AT)).toEqual(
      createPlacedOrder("walk_in_test"),
    );
  });

  test("set its sample number once", () => {
    expect(withSampleId(withSampleId(createPlacedOrder("testkit"), "S1"), "S2").sample_id).toBe("S1");
  });
});

test("yearsBetween counts whole years", () => {
  expect(["2026-05-16", "2026-05-17"].map((day) => yearsBetween("2008-05-17", day))).toEqual([17, 18]);
});
