import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readOrder, readOrderAccess } from "../../lib/services/orders/change-order.ts";

/** Returns one order. */
export const contract = endpoint({
  operationId: "getOrder",
  method: "GET",
  path: "/v3/order/{order_id}",
  tag: "orders",
  summary: "Retrieve an order",
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireOrder,
  errors: [NotFound],
  access: readOrderAccess,
});

export const handler = implement(contract, ({ scope, params }, deps) => readOrder(scope, params.order_id, deps));
