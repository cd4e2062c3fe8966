import type { Problem } from "../lab-tests/chosen-markers.ts";
import type { LabAccount } from "../lab-tests/lab-account.ts";
import { refusedAnswers } from "./aoe-answers.ts";
import type { OrderDraft } from "./order-draft.ts";
import type { Order } from "./order-move.ts";
import { yearsBetween } from "./patient-draft.ts";

/** From this age people order for themselves. */
const ADULT_YEARS = 18;
/** No older person is known. */
const OLDEST_YEARS = 130;

/** What an order is checked against. */
export interface OrderContext {
  readonly labTest: Order["lab_test"];
  readonly account: Pick<LabAccount, "allowed_billing">;
  /** The present date where the patient lives, or in UTC. */
  readonly today: string;
  /** Whether the team may order for people below 18. */
  readonly allowsMinors: boolean;
  /** Whether an insurance of the user is known already. */
  readonly hasInsurance: boolean;
}

type Rule = (draft: OrderDraft, context: OrderContext) => readonly Problem[];

const refuse = (isRefused: boolean, loc: readonly string[], msg: string): Problem[] =>
  isRefused ? [{ loc: ["body", ...loc], msg }] : [];

const patientAge: Rule = ({ patient_details: { dob, medical_proxy } }, { today, allowsMinors }) => {
  const age = yearsBetween(dob, today);
  if (age >= ADULT_YEARS && age <= OLDEST_YEARS) return [];
  const isLiving = dob <= today && age <= OLDEST_YEARS;
  if (!isLiving) return refuse(true, ["patient_details", "dob"], "Not the date of birth of a living person");
  if (!allowsMinors) return refuse(true, ["patient_details", "dob"], "The team does not order for people below 18");
  return refuse(!medical_proxy, ["patient_details", "medical_proxy"], "Needed for a person below 18");
};

const method: Rule = ({ collection_method }, { labTest }) =>
  refuse(
    collection_method !== null && collection_method !== undefined && collection_method !== labTest.method,
    ["collection_method"],
    "Not how the sample of this lab test is taken",
  );

const activation: Rule = ({ activate_by }, { today }) =>
  refuse(typeof activate_by === "string" && activate_by < today, ["activate_by"], "In the past");

const billing: Rule = ({ billing_type, patient_address: { state } }, { account }) =>
  refuse(
    !account.allowed_billing[billing_type]?.includes(state),
    ["billing_type"],
    "The lab account does not allow it in the patient's state",
  );

const insurance: Rule = ({ billing_type, health_insurance }, { hasInsurance }) =>
  refuse(
    billing_type === "commercial_insurance" && !health_insurance && !hasInsurance,
    ["health_insurance"],
    "Needed where an insurance pays",
  );

const answers: Rule = ({ aoe_answers }, { labTest }) => refusedAnswers(labTest.markers ?? [], aoe_answers ?? []);

const rules: readonly Rule[] = [patientAge, method, activation, billing, insurance, answers];

/** Everything for which an order that is well formed can not be placed; empty for one that can. */
export function refusedOrder(draft: OrderDraft, context: OrderContext): Problem[] {
  return rules.flatMap((rule) => rule(draft, context));
}

/** What is wrong with what is ordered: nothing, or a lab test both alone and in a set. */
export function refusedOrderSet({ lab_test_id, order_set }: Pick<OrderDraft, "lab_test_id" | "order_set">): Problem[] {
  const { lab_test_ids, add_on } = order_set ?? {};
  const ordered = [lab_test_ids, add_on?.marker_ids, add_on?.provider_ids].flatMap(
    (list): (string | number)[] => list ?? [],
  );
  return [
    ...refuse(!lab_test_id && ordered.length === 0, ["order_set"], "Nothing is ordered"),
    ...refuse(Boolean(lab_test_id && order_set), ["lab_test_id"], "Given beside an order set"),
  ];
}
