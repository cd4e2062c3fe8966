import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { transactionParams } from "../../lib/domain/orders/order-transaction.ts";
import { wireResult } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTransactionResult, requireTransactionResultAccess } from "../../lib/services/results/require-result.ts";

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
  query: noFields,
  response: wireResult,
  errors: [NotFound],
  access: requireTransactionResultAccess,
});

export const handler = implement(contract, async (call, deps) => {
  const { result } = await requireTransactionResult(call, call.params.transaction_id, deps);
  return result;
});
