import { get, getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, results, users } from "../../lib/contract/resources.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { wireResultMetadata } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireResult } from "../../lib/runtime/results/reading-results.ts";

/** Returns the metadata of an order's result. Teams with `partial_webhooks_enabled` also get partial results. */
export const contract = endpoint({
  operationId: "getResultMetadata",
  method: "GET",
  path: "/v3/order/{order_id}/result/metadata",
  tag: "results",
  summary: "Retrieve the metadata of an order's result",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wireResultMetadata,
  errors: [NotFound],
  access: [get(orders), getMany(orders), query(orders), get(users), get(results)],
});

export const handler = implement(contract, async (call, uses) => {
  const { result } = await requireResult(call, call.params.order_id, uses);
  return result.metadata;
});
