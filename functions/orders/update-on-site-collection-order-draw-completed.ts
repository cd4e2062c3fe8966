import { putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { outbox } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { completeDraw } from "../../lib/domain/orders/lifecycle/order-commands.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { changeOrderAccess, executeOrderCommand } from "../../lib/services/orders/change-order.ts";

/** Records that the sample of an on-site collection order was taken. */
export const contract = endpoint({
  operationId: "updateOnSiteCollectionOrderDrawCompleted",
  method: "PATCH",
  path: "/v3/order/{order_id}/draw_completed",
  tag: "orders",
  summary: "Record an on-site collection as completed",
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [...changeOrderAccess, putItem(outbox)],
});

export const handler = implement(contract, async ({ scope, team, params }, deps) => {
  const change = executeOrderCommand({ scope, team }, params.order_id, deps, ({ order }, at) => ({
    order: completeDraw(order, at),
  }));
  return toPlacedOrder(await change, "The sample is collected.");
});
