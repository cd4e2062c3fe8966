import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchReviews, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reviewParams, wireUnmatchedResult } from "../../lib/domain/results/wire-unmatched-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireReview } from "../../lib/services/results/match-reviews.ts";

export const contract = endpoint({
  operationId: "getUnmatchedResult",
  method: "GET",
  path: "/v3/unmatched_result/{raw_result_id}",
  tag: "unmatched-results",
  summary: "Retrieve an unmatched result",
  description: [
    "Returns a report whose order is uncertain, with its candidate orders by user.",
    "`decision_code` is the reason why it needs a review, and `allowed_actions` lists what you can do now.",
    "It stays available after the decision, with `resolution_action` and the selected order.",
    "Candidates of deleted users are left out; if all its users are deleted, it returns `not_found`.",
  ],
  auth: "team",
  params: reviewParams,
  query: noFields,
  response: wireUnmatchedResult,
  errors: [NotFound],
  access: [getItem(matchReviews), getItem(users)],
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  const { review } = await requireReview(scope, params.raw_result_id, deps);
  return review;
});
