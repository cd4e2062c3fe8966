import { reviewPayload } from "../../domain/results/match-review.ts";
import type { UnmatchedResult } from "../../domain/results/wire-unmatched-result.ts";
import { composeTeamEvent, type NewEvent } from "./compose-event.ts";

/**
 * Returns the event for the state of a match review after a change. The event of an accepted review belongs to the user
 * whom its payload names.
 * @param revision number of changes, from 1.
 */
export function matchReviewEvent(teamId: string, review: UnmatchedResult, revision: number): NewEvent {
  const type = revision === 1 ? "labtest.match_review.created" : "labtest.match_review.updated";
  return composeTeamEvent(teamId, type, review.id, revision, reviewPayload(review), review.resolved_user_id ?? "");
}
