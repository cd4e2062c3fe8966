import type { LowLevelStatus } from "../orders/lifecycle/order-status.ts";
import type { Order } from "../orders/lifecycle/order-transitions.ts";
import { findTransition, isResultedStatus, type OrderWorkflow } from "../orders/lifecycle/transition-table.ts";
import type { LabReport, ReportedPatient } from "./lab-report.ts";

/** Order that a report may belong to. */
export interface CandidateOrder {
  readonly order_id: string;
  readonly user_id: string;
  readonly order_transaction_id: string | null;
  readonly lab: string;
  readonly account_number: string | null;
  readonly way: OrderWorkflow;
  readonly level: LowLevelStatus;
  readonly sample_id: string | null;
  readonly requisition: string | null;
  readonly patient: ReportedPatient;
  /** The laboratory's codes of the ordered tests. */
  readonly test_codes: readonly string[];
}

/** Reasons for a match, or for the lack of a certain match. */
export const matchDecisionCodes = [
  "match_sample_id",
  "match_completed",
  "match_cancelled",
  "wrong_collection",
  "wrong_lab",
  "multiple_demo_match",
  "match_sample_id_mismatch_demo",
  "match_demo",
  "no_match",
] as const;
export type MatchDecisionCode = (typeof matchDecisionCodes)[number];

/** Outcome of matching, with the candidate orders, best match first. */
export interface MatchDecision {
  readonly code: MatchDecisionCode;
  readonly isAccountOther: boolean;
  readonly candidates: readonly CandidateOrder[];
}

/** Whether the status of an order allows a result; if not, why. */
export type OrderStanding = "open" | "completed" | "cancelled" | "not_collected";

/** Derives from the status of an order whether the order allows a result. */
export function orderStandingOf({ way, level }: Pick<CandidateOrder, "way" | "level">): OrderStanding {
  if (isResultedStatus(level)) return "completed";
  if (level === "cancelled" || level === "do_not_process") return "cancelled";
  return findTransition(way, level, "completed") ? "open" : "not_collected";
}

const genders = ["female", "male", "other", "unknown"] as const;

/** Converts the patient of an order to the form of a report; all fields are null for an unregistered test kit. */
export function toReportedPatient({ patient_details: patient }: Pick<Order, "patient_details">): ReportedPatient {
  return {
    first_name: patient?.first_name ?? null,
    last_name: patient?.last_name ?? null,
    dob: patient?.dob.slice(0, 10) ?? null,
    gender: genders.find((gender) => gender === patient?.gender) ?? null,
    patient_id: null,
  };
}

/** Normalizes a name for comparison: ASCII letters and digits in lower case. */
export const normalizeName = (text: string | null) => (text ?? "").toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The normalized first name of a patient, alone and with the middle names. */
export const givenNamesOf = ({ first_name, middle_names = "" }: ReportedPatient): string[] =>
  [first_name, `${first_name ?? ""}${middle_names}`].map(normalizeName);

/**
 * Whether two patients are the same person: the normalized first and last names and the date of birth agree. The first
 * name may have the middle names with it. The gender must agree only if both are female or male.
 */
export function isSamePerson(a: ReportedPatient, b: ReportedPatient): boolean {
  const isKnown = (gender: ReportedPatient["gender"]) => gender === "female" || gender === "male";
  if (a.dob === null || a.dob !== b.dob || normalizeName(a.last_name) === "") return false;
  if (normalizeName(a.last_name) !== normalizeName(b.last_name)) return false;
  if (!givenNamesOf(a).some((name) => givenNamesOf(b).includes(name))) return false;
  return !(isKnown(a.gender) && isKnown(b.gender)) || a.gender === b.gender;
}

const codesByStanding: Readonly<Record<Exclude<OrderStanding, "open">, MatchDecisionCode>> = {
  completed: "match_completed",
  cancelled: "match_cancelled",
  not_collected: "wrong_collection",
};

/**
 * Finds the order of a report. A match needs an order with the reported sample id or requisition number, at the same
 * laboratory, for the same patient, with a status that allows a result. A corrected or withdrawn report also matches a
 * completed order. Every other outcome needs a review.
 *
 * @param candidates orders with the reported number, or with a similar patient.
 */
export function matchReport(report: LabReport, candidates: readonly CandidateOrder[]): MatchDecision {
  const numbered = candidates.filter((order) => hasReportedNumber(order, report));
  const [byNumber] = numbered;
  if (byNumber) return { ...decideByNumber(report, byNumber), candidates: numbered };
  return decideByPerson(
    report,
    candidates.filter(({ patient }) => isSamePerson(patient, report.patient)),
  );
}

/** Whether an order has the reported requisition number, or the reported sample id at the same laboratory. */
export function hasReportedNumber({ sample_id, requisition, lab }: CandidateOrder, report: LabReport): boolean {
  const isRequisition = requisition !== null && requisition === report.requisition;
  return isRequisition || (sample_id !== null && sample_id === report.sample_id && lab === report.lab);
}

function decideByNumber(report: LabReport, order: CandidateOrder): Omit<MatchDecision, "candidates"> {
  const isAccountOther = isOtherAccount(report, order);
  const standing = orderStandingOf(order);
  const codeOf = (): MatchDecisionCode => {
    if (!isSamePerson(order.patient, report.patient)) return "match_sample_id_mismatch_demo";
    if (order.lab !== report.lab) return "wrong_lab";
    if (standing === "completed" && isChange(report)) return "match_sample_id";
    return standing === "open" ? "match_sample_id" : codesByStanding[standing];
  };
  return { code: codeOf(), isAccountOther };
}

function decideByPerson(report: LabReport, people: readonly CandidateOrder[]): MatchDecision {
  const atLab = people.filter(({ lab }) => lab === report.lab);
  const open = atLab.filter((order) => orderStandingOf(order) === "open");
  const decided = (code: MatchDecisionCode, candidates: readonly CandidateOrder[]): MatchDecision => {
    const [first] = candidates;
    return { code, isAccountOther: first !== undefined && isOtherAccount(report, first), candidates };
  };
  if (open.length > 1) return decided("multiple_demo_match", open);
  if (open.length === 1) return decided("match_demo", open);
  const [closed] = atLab;
  const standing = closed ? orderStandingOf(closed) : "open";
  if (closed && standing !== "open") return decided(codesByStanding[standing], atLab);
  return people.length > 0 ? decided("wrong_lab", people) : decided("no_match", []);
}

/** Whether a report changes what was reported before. */
const isChange = ({ status }: LabReport) => status === "corrected" || status === "withdrawn";

const isOtherAccount = ({ account_number }: LabReport, order: CandidateOrder) =>
  account_number !== null && order.account_number !== null && account_number !== order.account_number;
