import type { LabAccount } from "../../lab-tests/lab-account.ts";
import type { RequestProblem } from "../../lab-tests/select-markers.ts";
import type { Order } from "../lifecycle/order-transitions.ts";
import { namesInsurance, namesInsuredPerson } from "./billed-insurance.ts";
import { checkAoeAnswers } from "./check-aoe-answers.ts";
import type { AoeAnswer, KitRegistration, OrderDraft } from "./order-draft.ts";
import { yearsBetween } from "./patient-draft.ts";

/** Age from which a patient needs no medical proxy, years. */
const ADULT_YEARS = 18;
/** Upper bound of a plausible age, years. */
const MAX_AGE_YEARS = 130;

/** Facts that an order draft is checked against. */
export interface OrderCheckContext {
  readonly labTest: Order["lab_test"];
  readonly account: Pick<LabAccount, "allowed_billing">;
  /** Current date in the patient's time zone, or in UTC; YYYY-MM-DD. */
  readonly today: string;
  /** Whether the team may order for patients under 18. */
  readonly allowsMinors: boolean;
  /** Whether an insurance pays: one that the draft names, or a stored one of the user. */
  readonly hasInsurance: boolean;
}

/** The fields of a draft or an order that decide whether its lab account may bill it. */
interface BilledOrder {
  readonly billing_type: string;
  /** Null for a kit that is not registered. */
  readonly patient_address: { readonly state: string } | null;
}

type Rule = (draft: OrderDraft, context: OrderCheckContext) => readonly RequestProblem[];

const refuse = (isRefused: boolean, loc: readonly string[], msg: string): RequestProblem[] =>
  isRefused ? [{ loc: ["body", ...loc], msg }] : [];

/** Checks that a patient is alive, and of an age at which the team may order. Returns the problem, or an empty list. */
export function checkPatientAge(
  { patient_details: { dob, medical_proxy } }: Pick<OrderDraft, "patient_details">,
  { today, allowsMinors }: Pick<OrderCheckContext, "today" | "allowsMinors">,
): RequestProblem[] {
  const age = yearsBetween(dob, today);
  if (age >= ADULT_YEARS && age <= MAX_AGE_YEARS) return [];
  const isLiving = dob <= today && age <= MAX_AGE_YEARS;
  if (!isLiving) return refuse(true, ["patient_details", "dob"], "Not the date of birth of a living person");
  if (!allowsMinors) return refuse(true, ["patient_details", "dob"], "The team does not order for patients under 18");
  return refuse(!medical_proxy, ["patient_details", "medical_proxy"], "Required for a patient under 18");
}

const method: Rule = ({ collection_method }, { labTest }) =>
  refuse(
    collection_method !== null && collection_method !== undefined && collection_method !== labTest.method,
    ["collection_method"],
    "Not the collection method of this lab test",
  );

const activation: Rule = ({ activate_by }, { today }) =>
  refuse(typeof activate_by === "string" && activate_by < today, ["activate_by"], "The date is in the past");

const billedState = (
  loc: readonly string[],
  { billing_type, patient_address: address }: BilledOrder,
  { account }: Pick<OrderCheckContext, "account">,
): RequestProblem[] =>
  refuse(
    address !== null && !account.allowed_billing[billing_type]?.includes(address.state),
    loc,
    "The lab account does not allow this billing type in the patient's state",
  );

const billing: Rule = (draft, context) => billedState(["billing_type"], draft, context);

const insurance = (
  { billing_type, health_insurance: given }: Pick<OrderDraft, "billing_type" | "health_insurance">,
  { hasInsurance }: Pick<OrderCheckContext, "hasInsurance">,
): RequestProblem[] => {
  if (namesInsurance(given)) {
    const loc = ["health_insurance", "responsible_details"];
    return refuse(!namesInsuredPerson(given), loc, "Required with both names unless responsible_relationship is Self");
  }
  const isUnpaid = billing_type === "commercial_insurance" && !hasInsurance;
  return given?.payor_code
    ? refuse(isUnpaid, ["health_insurance", "insurance_id"], "Required: the user has no insurance of this payor")
    : refuse(isUnpaid, ["health_insurance"], "Required when billing_type is commercial_insurance");
};

const answers: Rule = ({ aoe_answers }, { labTest }) => checkAoeAnswers(labTest.markers ?? [], aoe_answers ?? []);

const rules: readonly Rule[] = [checkPatientAge, method, activation, billing, insurance, answers];

/** Checks a well-formed draft against the rules of placement. Returns every problem, or an empty list. */
export function checkOrder(draft: OrderDraft, context: OrderCheckContext): RequestProblem[] {
  return rules.flatMap((rule) => rule(draft, context));
}

/** Checks the registration of a kit against the rules that depend on its patient. Returns every problem, or an empty list. */
export const checkRegistration = (
  draft: KitRegistration,
  { billing_type }: Pick<OrderDraft, "billing_type">,
  context: Omit<OrderCheckContext, "labTest">,
): RequestProblem[] => [
  ...checkPatientAge(draft, context),
  ...billedState(["patient_address", "state"], { ...draft, billing_type }, context),
  ...insurance({ ...draft, billing_type }, context),
];

/**
 * Checks an order that is placed again against the rules that depend on the laboratory: its lab account bills the order,
 * and the answers to the questions of the lab test are complete. Returns every problem, or an empty list.
 */
export const checkRecreation = (
  order: BilledOrder,
  given: readonly AoeAnswer[],
  { labTest, account }: Pick<OrderCheckContext, "labTest" | "account">,
): RequestProblem[] => [
  ...billedState(["lab_account_id"], order, { account }),
  ...checkAoeAnswers(labTest.markers ?? [], given),
];

/** Checks that a draft orders something, by either `lab_test_id` or `order_set`. */
export function checkOrderSet({
  lab_test_id,
  order_set,
}: Pick<OrderDraft, "lab_test_id" | "order_set">): RequestProblem[] {
  const { lab_test_ids, add_on } = order_set ?? {};
  const ordered = [lab_test_ids, add_on?.marker_ids, add_on?.provider_ids].flatMap(
    (list): (string | number)[] => list ?? [],
  );
  return [
    ...refuse(!lab_test_id && ordered.length === 0, ["order_set"], "The order set is empty"),
    ...refuse(Boolean(lab_test_id && order_set), ["lab_test_id"], "Give either lab_test_id or order_set"),
  ];
}
