import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { wireResult } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireResult, requireResultAccess } from "../../lib/services/results/require-result.ts";

/** Returns the result of an order. Teams with `partial_webhooks_enabled` also get partial results. */
export const contract = endpoint({
  operationId: "getResultRaw",
  method: "GET",
  path: "/v3/order/{order_id}/result",
  tag: "results",
  summary: "Retrieve the result of an order",
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireResult,
  errors: [NotFound],
  access: requireResultAccess,
});

export const handler = implement(contract, async (call, deps) => {
  const { result } = await requireResult(call, call.params.order_id, deps);
  return result;
});
