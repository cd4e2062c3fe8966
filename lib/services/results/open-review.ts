import { findLab } from "../../domain/lab-tests/labs.ts";
import { interpretObservation } from "../../domain/results/interpret-observation.ts";
import { type Interpretation, worstInterpretation } from "../../domain/results/interpretation.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import type { MatchDecision } from "../../domain/results/match-report.ts";
import { newReview } from "../../domain/results/match-review.ts";
import { testedPersonOf } from "../../domain/results/order-result.ts";
import { toReviewListing } from "../../domain/results/review-list.ts";
import { nameUuid } from "../../domain/shared/name-uuid.ts";
import { matchReviewEvent } from "../../events/constructors/match-review-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { LabMessage } from "../../store/results/lab-messages.ts";
import type { MatchReviewStore } from "../../store/results/match-reviews.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Dependencies of opening a review. */
export type OpenReviewDependencies = Dependencies<"commit"> & {
  readonly matchReviews: Pick<MatchReviewStore, "createItems">;
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
};

/** A report without a certain order. */
interface UnmatchedReport {
  readonly id: string;
  readonly report: LabReport;
  readonly decision: MatchDecision;
}

/** Derives the id of a review from its message, so that a repeated message finds its review. */
export const matchReviewId = ({ teamId }: TeamScope, { lab, controlId }: Omit<LabMessage, "digest">): string =>
  nameUuid(`match review ${teamId} ${lab} ${controlId}`);

/**
 * Writes a review with its event and further items. Requires all users of the candidates to be active.
 * @throws ConditionFailed if one of them was deleted meanwhile; TooLarge.
 */
export async function openReview(
  scope: TeamScope,
  { id, report, decision }: UnmatchedReport,
  more: readonly WriteItem[],
  { matchReviews, users, outbox, commit }: OpenReviewDependencies,
): Promise<void> {
  const at = isoNow();
  const { id: labId = 0, name = report.lab, slug = report.lab } = findLab(report.lab) ?? {};
  const context = { id, lab: { id: labId, name, slug }, interpretation: reportInterpretation(report) };
  const record = { review: newReview(report, decision, context, at), report };
  await commit([
    ...toReviewListing(record).user_ids.map((userId) => users.requireActiveItem(scope, userId)),
    ...matchReviews.createItems(scope, record),
    outbox.appendItem(matchReviewEvent(scope.teamId, record.review, 1), at),
    ...more,
  ]);
}

/** The worst interpretation of a report, for the patient that the laboratory reports. */
function reportInterpretation(report: LabReport): Interpretation {
  const person = testedPersonOf({ patient_details: null }, report);
  const values = report.observations.filter(({ status }) => status !== "cancelled");
  return worstInterpretation(values.map((value) => interpretObservation(value, person).interpretation));
}
