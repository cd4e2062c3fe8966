import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, outbox, users } from "../../lib/contract/resources.ts";
import { completeDraw } from "../../lib/domain/orders/order-commands.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { commandOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Records that the sample of an on-site collection order was taken. */
export const contract = endpoint({
  operationId: "updateOnSiteCollectionOrderDrawCompleted",
  method: "PATCH",
  path: "/v3/order/{order_id}/draw_completed",
  tag: "orders",
  summary: "Record an on-site collection as completed",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [get(orders), put(orders), get(users), put(outbox)],
});

export const handler = implement(contract, async ({ scope, team, params }, uses) => {
  const change = commandOrder({ scope, team }, params.order_id, uses, ({ order }, at) => ({
    order: completeDraw(order, at),
  }));
  return toPlacedOrder(await change, "The sample is collected.");
});
