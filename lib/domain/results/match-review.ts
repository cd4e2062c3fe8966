import { toCandidateGroups } from "./candidate-groups.ts";
import type { Interpretation } from "./interpretation.ts";
import type { LabReport } from "./lab-report.ts";
import { type MatchDecision, type MatchDecisionCode, type OrderStanding, orderStandingOf } from "./match-report.ts";
import type { ReviewAction } from "./wire-match-review.ts";
import type { UnmatchedResult } from "./wire-unmatched-result.ts";

/** The current state of an unmatched result does not allow an action; the message gives the reason. */
export class ReviewRefused extends Error {
  override readonly name = "ReviewRefused";
}

/** Reason for a review, as a sentence. */
const reasonsByCode: Readonly<Record<MatchDecisionCode, string>> = {
  match_sample_id: "The sample ID and the patient match the order.",
  match_completed: "The order already has a result.",
  match_cancelled: "The order was cancelled.",
  wrong_collection: "The sample of the order is not collected yet.",
  wrong_lab: "The order of the patient is at another laboratory.",
  multiple_demo_match: "Several orders have a patient with this name and date of birth.",
  match_sample_id_mismatch_demo: "The sample ID matches the order, but the patient does not.",
  match_demo: "The name and date of birth match the order, but the sample ID does not.",
  no_match: "No order matches the patient or the sample ID.",
};

/** Decisions that allow a team to accept the result for an order. */
const ACCEPTABLE_DECISIONS: readonly MatchDecisionCode[] = [
  "match_completed",
  "multiple_demo_match",
  "match_sample_id_mismatch_demo",
  "match_demo",
];

/** Standings of an order that can accept a result: an open order gets its result, a completed order a correction. */
const ACCEPTING_STANDINGS: readonly OrderStanding[] = ["open", "completed"];

/** Context of a new review. */
export interface ReviewContext {
  readonly id: string;
  readonly lab: UnmatchedResult["lab"];
  readonly interpretation: Interpretation | null;
}

/** Creates the review of a report without a certain match. */
export function newReview(
  report: LabReport,
  decision: MatchDecision,
  context: ReviewContext,
  at: string,
): UnmatchedResult {
  const { patient, observations, status } = report;
  const groups = toCandidateGroups(report, decision);
  const isAcceptable = ACCEPTABLE_DECISIONS.includes(decision.code) && decision.candidates.some(canAcceptResult);
  return {
    id: context.id,
    status: "pending_customer_review",
    decision_code: decision.code,
    sub_reason_codes: decision.isAccountOther ? ["lab_account_mismatch"] : [],
    reason: reasonsByCode[decision.code],
    patient: {
      first_name: patient.first_name,
      last_name: patient.last_name,
      dob: patient.dob === null ? null : `${patient.dob}T00:00:00Z`,
      gender: patient.gender,
    },
    lab: context.lab,
    markers: observations.map(({ test_code, code, name }) => ({ provider_id: test_code ?? code, name })),
    interpretation: context.interpretation,
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

const canAcceptResult = (order: MatchDecision["candidates"][number]) =>
  ACCEPTING_STANDINGS.includes(orderStandingOf(order));

/** Selected order of a result. */
export interface OrderSelection {
  readonly order_id?: string | null | undefined;
  readonly user_id?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * Accepts the result for the selected order or, without a selection, for the only candidate order.
 * @throws ReviewRefused for a resolved review, a review that allows no acceptance, or a selection that does not
 * identify exactly one candidate.
 */
export function acceptReview(review: UnmatchedResult, choice: OrderSelection, at: string): UnmatchedResult {
  refuseUnlessAllowed(review, "accept");
  const possible = review.candidate_groups.flatMap(({ user_id, candidates }) =>
    candidates
      .filter(({ status_context }) => ACCEPTING_STANDINGS.some((standing) => standing === status_context?.standing))
      .map(({ order_id }) => ({ user_id, order_id })),
  );
  const chosen = possible.filter(
    ({ order_id, user_id }) =>
      (choice.order_id == null || choice.order_id === order_id) &&
      (choice.user_id == null || choice.user_id === user_id),
  );
  const [only, ...others] = chosen;
  if (!only) throw new ReviewRefused("No candidate of this result matches the selection.");
  if (others.length > 0) throw new ReviewRefused("Several candidates match: give an order_id.");
  return {
    ...withReviewAction(review, "accept", choice.note, at),
    status: "resolved",
    resolved_user_id: only.user_id,
    resolved_order_id: only.order_id,
  };
}

/**
 * Rejects the result of a review, or passes the review on to operations (`unsure`).
 * @throws ReviewRefused for a resolved review.
 */
export function resolveReview(
  review: UnmatchedResult,
  action: "reject" | "unsure",
  note: string | null | undefined,
  at: string,
): UnmatchedResult {
  refuseUnlessAllowed(review, action);
  const resolved = withReviewAction(review, action, note, at);
  if (action === "reject") return { ...resolved, status: "resolved" };
  // The next reviewer may still accept or reject the result, but cannot pass the review on a second time.
  const allowed_actions = review.allowed_actions.filter((allowed) => allowed !== "unsure");
  return { ...resolved, status: "pending_ops_review", allowed_actions };
}

/** Event payload of a review. */
export const reviewPayload = ({ id, status, decision_code, sub_reason_codes, ...rest }: UnmatchedResult) => ({
  id,
  status,
  decision_code,
  sub_reason_codes,
  resolution_action: rest.resolution_action,
  resolved_user_id: rest.resolved_user_id,
  resolved_order_id: rest.resolved_order_id,
});

function refuseUnlessAllowed({ status, allowed_actions }: UnmatchedResult, action: ReviewAction): void {
  if (status === "resolved") throw new ReviewRefused("This result is already reviewed.");
  if (!allowed_actions.includes(action)) throw new ReviewRefused(`This result does not allow the action ${action}.`);
}

function withReviewAction(
  review: UnmatchedResult,
  action: ReviewAction,
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
