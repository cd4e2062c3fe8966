import { getItem, grants, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { matchReviews } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { reviewAcceptance, reviewParams } from "../../lib/domain/results/wire-unmatched-result.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadOrderWithTransaction, orderTransactionAccess } from "../../lib/services/orders/change-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";
import { acceptResult, acceptResultAccess } from "../../lib/services/results/accept-result.ts";

export const contract = endpoint({
  operationId: "acceptUnmatchedResult",
  method: "POST",
  path: "/v3/unmatched_result/{raw_result_id}/accept",
  tag: "unmatched-results",
  summary: "Accept an unmatched result",
  description: [
    "Assigns an unmatched result to one of its candidate orders, and returns that order.",
    "Without `order_id` and `user_id`, the only candidate gets it; several candidates return `not_possible`.",
    "The order must wait for a result, or have one, which the report then corrects.",
    "The decision is final; one transaction changes the unmatched result, the order, its result and its open appointment.",
    "`labtest.match_review.updated` and `labtest.order.updated` follow, and perhaps `labtest.appointment.updated` and `labtest.result.critical`.",
    "`allowed_actions` tells whether you can accept it; otherwise, and after a decision, you get `not_possible`.",
  ],
  auth: "team",
  params: reviewParams,
  query: noFields,
  body: reviewAcceptance.nullish(),
  response: wireOrder,
  errors: [NotFound, NotPossible],
  access: grants(getItem(matchReviews), orderTransactionAccess, acceptResultAccess, sendMessage(labWork)),
});

export const handler = implement(contract, async ({ scope, team, params, body, log }, deps) => {
  const { order, tasks } = await acceptResult({ scope, team }, params.raw_result_id, body ?? {}, deps);
  await scheduleOrderTasks(deps.labWork, tasks, log);
  return loadOrderWithTransaction(scope, order, deps);
});
