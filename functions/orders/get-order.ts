import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readOrder, readOrderAccess } from "../../lib/services/orders/change-order.ts";

export const contract = endpoint({
  operationId: "getOrder",
  method: "GET",
  path: "/v3/order/{order_id}",
  tag: "orders",
  summary: "Retrieve an order",
  description: [
    "Returns the current state of an order, with all its status events and its order transaction.",
    "`last_event` is the newest event; its `id` grows by one with each status.",
    "Fields of a later stage are null until then, such as `sample_id`, `interpretation` and `expected_result_by_date`.",
    "An order of a deleted user returns `not_found`, unless the deletion is undone.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireOrder,
  agentTool: {
    name: "get_order",
    description: ["Returns one lab test order with all its status events."],
    reach: "object",
    shortening: { kind: "list", of: "events" },
    rest: "The tool has no pages: `last_event` is the newest event.",
  },
  errors: [NotFound],
  access: readOrderAccess,
});

export const handler = implement(contract, ({ scope, params }, deps) => readOrder(scope, params.order_id, deps));
