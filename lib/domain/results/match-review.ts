import { candidateGroups } from "./candidates.ts";
import type { Interpretation } from "./interpretation.ts";
import type { LabReport } from "./lab-report.ts";
import { type DecisionCode, type MatchDecision, standingOf } from "./match-report.ts";
import type { UnmatchedResult } from "./wire-unmatched-result.ts";

/** What can not be done with an unmatched result; the message says why. */
export class ReviewRefused extends Error {
  override readonly name = "ReviewRefused";
}

/** Why a result is to be looked at, for people. */
const sentences: Readonly<Record<DecisionCode, string>> = {
  match_sample_id: "The number of the sample and the patient are those of the order.",
  match_completed: "The order has its result already.",
  match_cancelled: "The order was cancelled.",
  wrong_collection: "The order's sample was not collected yet.",
  wrong_lab: "The patient's order is at another laboratory.",
  multiple_demo_match: "Several orders are of a patient of this name and date of birth.",
  match_sample_id_mismatch_demo: "The number of the sample is that of the order, but the patient is another.",
  match_demo: "Name and date of birth are those of the order, but the number of the sample is not.",
  no_match: "No order is of such a patient, or has such a number.",
};

/** Decisions after which a result may still be taken as that of an order. */
const ACCEPTABLE: readonly DecisionCode[] = [
  "match_completed",
  "multiple_demo_match",
  "match_sample_id_mismatch_demo",
  "match_demo",
];

/** What a review begins with. */
export interface ReviewGround {
  readonly id: string;
  readonly lab: UnmatchedResult["lab"];
  readonly interpretation: Interpretation | null;
}

/** The review of a report whose order is not certain. */
export function newReview(
  report: LabReport,
  decision: MatchDecision,
  ground: ReviewGround,
  at: string,
): UnmatchedResult {
  const { patient, observations, status } = report;
  const groups = candidateGroups(report, decision);
  const isAcceptable = ACCEPTABLE.includes(decision.code) && decision.candidates.some(canTakeResult);
  return {
    id: ground.id,
    status: "pending_customer_review",
    decision_code: decision.code,
    sub_reason_codes: decision.isAccountOther ? ["lab_account_mismatch"] : [],
    reason: sentences[decision.code],
    patient: {
      first_name: patient.first_name,
      last_name: patient.last_name,
      dob: patient.dob === null ? null : `${patient.dob}T00:00:00Z`,
      gender: patient.gender,
    },
    lab: ground.lab,
    markers: observations.map(({ test_code, code, name }) => ({ provider_id: test_code ?? code, name })),
    interpretation: ground.interpretation,
    result_status: status === "partial" ? "partial" : "final",
    note: null,
    resolution_action: null,
    resolved_user_id: null,
    resolved_order_id: null,
    allowed_actions: isAcceptable ? ["accept", "reject", "unsure"] : ["reject", "unsure"],
    candidate_groups: groups,
    created_at: at,
    updated_at: at,
    reviewed_at: null,
  };
}

/** A result can be taken by an order that waits for one, and by one that has one, which is corrected by it. */
const canTakeResult = (order: MatchDecision["candidates"][number]) => ["open", "completed"].includes(standingOf(order));

/** Which order was chosen for a result. */
export interface Choice {
  readonly order_id?: string | null | undefined;
  readonly user_id?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * The review, its result taken as that of an order: the one that is named, else the only one that comes into question.
 * @throws ReviewRefused where it is over, may not be accepted, or the choice is none of the candidates or leaves several.
 */
export function acceptReview(review: UnmatchedResult, choice: Choice, at: string): UnmatchedResult {
  refuseUnlessAllowed(review, "accept");
  const possible = review.candidate_groups.flatMap(({ user_id, candidates }) =>
    candidates
      .filter(({ status_context }) => ["open", "completed"].includes(String(status_context?.standing)))
      .map(({ order_id }) => ({ user_id, order_id })),
  );
  const chosen = possible.filter(
    ({ order_id, user_id }) =>
      (choice.order_id == null || choice.order_id === order_id) &&
      (choice.user_id == null || choice.user_id === user_id),
  );
  const [only, ...others] = chosen;
  if (!only) throw new ReviewRefused("No candidate of this result has such an order.");
  if (others.length > 0) throw new ReviewRefused("Several orders come into question: name one.");
  return {
    ...reviewed(review, "accept", choice.note, at),
    status: "resolved",
    resolved_user_id: only.user_id,
    resolved_order_id: only.order_id,
  };
}

/**
 * The review, its result rejected, or left for somebody who can tell.
 * @throws ReviewRefused where it is over.
 */
export function resolveReview(
  review: UnmatchedResult,
  action: "reject" | "unsure",
  note: string | null | undefined,
  at: string,
): UnmatchedResult {
  refuseUnlessAllowed(review, action);
  const resolved = reviewed(review, action, note, at);
  if (action === "reject") return { ...resolved, status: "resolved" };
  // Who looks next may take or reject it still, but need not be told again that somebody was unsure.
  const allowed_actions = review.allowed_actions.filter((allowed) => allowed !== "unsure");
  return { ...resolved, status: "pending_ops_review", allowed_actions };
}

/** What events tell of a review. */
export const reviewPayload = ({ id, status, decision_code, sub_reason_codes, ...rest }: UnmatchedResult) => ({
  id,
  status,
  decision_code,
  sub_reason_codes,
  resolution_action: rest.resolution_action,
  resolved_user_id: rest.resolved_user_id,
  resolved_order_id: rest.resolved_order_id,
});

function refuseUnlessAllowed({ status, allowed_actions }: UnmatchedResult, action: string): void {
  if (status === "resolved") throw new ReviewRefused("This result has been reviewed.");
  if (!allowed_actions.includes(action)) throw new ReviewRefused(`This result does not allow the action ${action}.`);
}

function reviewed(
  review: UnmatchedResult,
  action: string,
  note: string | null | undefined,
  at: string,
): UnmatchedResult {
  return {
    ...review,
    resolution_action: action,
    note: note ?? review.note,
    allowed_actions: [],
    updated_at: at,
    reviewed_at: at,
  };
}
