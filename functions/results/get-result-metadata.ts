import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { wireResultMetadata } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireResult, requireResultAccess } from "../../lib/services/results/require-result.ts";

export const contract = endpoint({
  operationId: "getResultMetadata",
  method: "GET",
  path: "/v3/order/{order_id}/result/metadata",
  tag: "results",
  summary: "Retrieve the metadata of an order's result",
  description: [
    "Returns data about the result as a whole, such as patient, laboratory, dates and status, without the values.",
    "Call it when you need no values; `GET /v3/order/{order_id}/result` contains the same metadata.",
    "Without a result, `not_found` gives the reason in `detail`.",
    "Teams with `partial_webhooks_enabled` also get partial results; for all others they do not exist yet.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireResultMetadata,
  errors: [NotFound],
  access: requireResultAccess,
});

export const handler = implement(contract, async (call, deps) => {
  const { result } = await requireResult(call, call.params.order_id, deps);
  return result.metadata;
});
