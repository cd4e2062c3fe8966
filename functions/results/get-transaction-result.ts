import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { transactionParams } from "../../lib/domain/orders/order-transaction.ts";
import { wireResult } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTransactionResult, requireTransactionResultAccess } from "../../lib/services/results/require-result.ts";

export const contract = endpoint({
  operationId: "getTransactionResult",
  method: "GET",
  path: "/v3/order_transaction/{transaction_id}/result",
  tag: "results",
  summary: "Retrieve the result of an order transaction",
  description: [
    "Returns the merged results of an initial order with its redraws and recreations.",
    "Call it instead of the result of a single order if the transaction has more than one order.",
    "Each value comes from the last order that has it.",
    "A transaction without a result, and an unknown one, return `not_found`.",
    "Teams with `partial_webhooks_enabled` also get partial results, merged in the same way.",
  ],
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
