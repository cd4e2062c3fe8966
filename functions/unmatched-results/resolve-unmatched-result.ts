import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { matchReviews, outbox, users } from "../../lib/contract/resources.ts";
import { resolution, reviewParams, wireUnmatchedResult } from "../../lib/domain/results/wire-unmatched-result.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveResult } from "../../lib/runtime/results/reviewing.ts";

/** Rejects a result that belongs to no order of the team, or escalates it to another reviewer. */
export const contract = endpoint({
  operationId: "resolveUnmatchedResult",
  method: "POST",
  path: "/v3/unmatched_result/{raw_result_id}/resolve",
  tag: "unmatched-results",
  summary: "Reject or escalate an unmatched result",
  auth: "team",
  params: reviewParams,
  query: nothing,
  body: resolution,
  response: wireUnmatchedResult,
  errors: [NotFound, NotPossible],
  access: [get(matchReviews), put(matchReviews), get(users), put(outbox)],
});

export const handler = implement(contract, ({ scope, params, body }, uses) =>
  resolveResult(scope, params.raw_result_id, body, uses),
);
