import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchReviews, outbox, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reviewParams, reviewResolution, wireUnmatchedResult } from "../../lib/domain/results/wire-unmatched-result.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveUnmatchedResult } from "../../lib/services/results/match-reviews.ts";

export const contract = endpoint({
  operationId: "resolveUnmatchedResult",
  method: "POST",
  path: "/v3/unmatched_result/{raw_result_id}/resolve",
  tag: "unmatched-results",
  summary: "Reject or escalate an unmatched result",
  description: [
    "Decides on an unmatched result that you accept for no order.",
    "`reject` is final: the report belongs to no order of the team.",
    "`unsure` passes it on once: its status is `pending_ops_review`, and you can still accept or reject it.",
    "The event `labtest.match_review.updated` follows.",
    "A decided result, and a second `unsure`, return `not_possible`.",
  ],
  auth: "team",
  params: reviewParams,
  query: noFields,
  body: reviewResolution,
  response: wireUnmatchedResult,
  errors: [NotFound, NotPossible],
  access: [getItem(matchReviews), putItem(matchReviews), getItem(users), putItem(outbox)],
});

export const handler = implement(contract, ({ scope, params, body }, deps) =>
  resolveUnmatchedResult(scope, params.raw_result_id, body, deps),
);
