import { getItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchReviews } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { reviewAcceptance, reviewParams } from "../../lib/domain/results/wire-unmatched-result.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadOrderWithTransaction, orderTransactionAccess } from "../../lib/services/orders/change-order.ts";
import { acceptResult, acceptResultAccess } from "../../lib/services/results/accept-result.ts";

/** Assigns an unmatched result to an order: the one in the request, or else the only candidate. */
export const contract = endpoint({
  operationId: "acceptUnmatchedResult",
  method: "POST",
  path: "/v3/unmatched_result/{raw_result_id}/accept",
  tag: "unmatched-results",
  summary: "Accept an unmatched result",
  auth: "team",
  params: reviewParams,
  query: noFields,
  body: reviewAcceptance.nullish(),
  response: wireOrder,
  errors: [NotFound, NotPossible],
  access: grants(getItem(matchReviews), orderTransactionAccess, acceptResultAccess),
});

export const handler = implement(contract, async ({ scope, team, params, body }, deps) => {
  const order = await acceptResult({ scope, team }, params.raw_result_id, body ?? {}, deps);
  return loadOrderWithTransaction(scope, order, deps);
});
