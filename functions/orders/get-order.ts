import { get, getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { wireOrder } from "../../lib/domain/orders/wire-order.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { readOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns one order. */
export const contract = endpoint({
  operationId: "getOrder",
  method: "GET",
  path: "/v3/order/{order_id}",
  tag: "orders",
  summary: "Retrieve an order",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wireOrder,
  errors: [NotFound],
  access: [get(orders), getMany(orders), query(orders), get(users)],
});

export const handler = implement(contract, ({ scope, params }, uses) => readOrder(scope, params.order_id, uses));
