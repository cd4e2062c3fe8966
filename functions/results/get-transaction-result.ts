import { get, getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, results, users } from "../../lib/contract/resources.ts";
import { transactionParams } from "../../lib/domain/orders/order-transaction.ts";
import { wireResult } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTransactionResult } from "../../lib/runtime/results/reading-results.ts";

/**
 * Returns the merged results of an order transaction. Teams with `partial_webhooks_enabled` also get partial results.
 */
export const contract = endpoint({
  operationId: "getTransactionResult",
  method: "GET",
  path: "/v3/order_transaction/{transaction_id}/result",
  tag: "results",
  summary: "Retrieve the result of an order transaction",
  auth: "team",
  params: transactionParams,
  query: nothing,
  response: wireResult,
  errors: [NotFound],
  access: [getMany(orders), query(orders), get(users), get(results)],
});

export const handler = implement(contract, async (call, uses) => {
  const { result } = await requireTransactionResult(call, call.params.transaction_id, uses);
  return result;
});
