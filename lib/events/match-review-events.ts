import { reviewPayload } from "../domain/results/match-review.ts";
import type { UnmatchedResult } from "../domain/results/wire-unmatched-result.ts";
import { composeForTeam, type NewEvent } from "./compose-event.ts";

/** The event of a review as it is after a change. @param revision counts the changes, from 1. */
export function reviewEvent(teamId: string, review: UnmatchedResult, revision: number): NewEvent {
  const type = revision === 1 ? "labtest.match_review.created" : "labtest.match_review.updated";
  return composeForTeam(teamId, type, review.id, revision, reviewPayload(review));
}
