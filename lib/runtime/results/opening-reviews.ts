import { nameUuid } from "../../crypto/name-uuid.ts";
import { labOf } from "../../domain/lab-tests/labs.ts";
import { interpret } from "../../domain/results/interpret.ts";
import { type Interpretation, worstOf } from "../../domain/results/interpretation.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import type { MatchDecision } from "../../domain/results/match-report.ts";
import { newReview } from "../../domain/results/match-review.ts";
import { personOf } from "../../domain/results/order-result.ts";
import { listingOf } from "../../domain/results/review-list.ts";
import { reviewEvent } from "../../events/match-review-events.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { LabMessage } from "../../store/results/lab-messages.ts";
import type { MatchReviewStore } from "../../store/results/match-reviews.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { isoNow } from "../ports.ts";

/** Dependencies of opening a review. */
export interface ReviewUses {
  readonly matchReviews: Pick<MatchReviewStore, "createItems">;
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** A report without a certain order. */
interface Unmatched {
  readonly id: string;
  readonly report: LabReport;
  readonly decision: MatchDecision;
}

/** Derives the id of a review from its message, so that a repeated message finds its review. */
export const reviewIdOf = ({ teamId }: TeamScope, { lab, control }: Omit<LabMessage, "digest">): string =>
  nameUuid(`match review ${teamId} ${lab} ${control}`);

/**
 * Writes a review with its event and further items. Requires all users of the candidates to be active.
 * @throws ConditionFailed if one of them was deleted meanwhile; TooLarge.
 */
export async function openReview(
  scope: TeamScope,
  { id, report, decision }: Unmatched,
  more: readonly WriteItem[],
  { matchReviews, users, outbox, commit }: ReviewUses,
): Promise<void> {
  const at = isoNow();
  const { id: labId = 0, name = report.lab, slug = report.lab } = labOf(report.lab) ?? {};
  const ground = { id, lab: { id: labId, name, slug }, interpretation: interpretationOf(report) };
  const record = { review: newReview(report, decision, ground, at), report };
  await commit([
    ...listingOf(record).user_ids.map((userId) => users.requireActiveItem(scope, userId)),
    ...matchReviews.createItems(scope, record),
    outbox.addItem(reviewEvent(scope.teamId, record.review, 1), at),
    ...more,
  ]);
}

/** The worst interpretation of a report, for the patient that the laboratory reports. */
function interpretationOf(report: LabReport): Interpretation {
  const person = personOf({ patient_details: null }, report);
  const values = report.observations.filter(({ status }) => status !== "cancelled");
  return worstOf(values.map((value) => interpret(value, person).interpretation));
}
