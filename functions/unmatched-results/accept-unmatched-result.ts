import { get, getMany, put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { matchReviews, orders, outbox, results, users } from "../../lib/contract/resources.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { acceptance, reviewParams } from "../../lib/domain/results/wire-unmatched-result.ts";
import { shown } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { acceptResult } from "../../lib/runtime/results/accepting-results.ts";

/** Assigns an unmatched result to an order: the one in the request, or else the only candidate. */
export const contract = endpoint({
  operationId: "acceptUnmatchedResult",
  method: "POST",
  path: "/v3/unmatched_result/{raw_result_id}/accept",
  tag: "unmatched-results",
  summary: "Accept an unmatched result",
  auth: "team",
  params: reviewParams,
  query: nothing,
  body: acceptance.nullish(),
  response: wireOrder,
  errors: [NotFound, NotPossible],
  access: [
    get(matchReviews),
    put(matchReviews),
    get(orders),
    put(orders),
    getMany(orders),
    query(orders),
    get(results),
    put(results),
    get(users),
    put(outbox),
  ],
});

export const handler = implement(contract, async ({ scope, team, params, body }, uses) => {
  const order = await acceptResult({ scope, team }, params.raw_result_id, body ?? {}, uses);
  return shown(scope, order, uses);
});
