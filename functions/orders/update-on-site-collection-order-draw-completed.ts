import { putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { outbox } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { completeDraw } from "../../lib/domain/orders/lifecycle/order-commands.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { changeOrderAccess, executeOrderCommand } from "../../lib/services/orders/change-order.ts";

export const contract = endpoint({
  operationId: "updateOnSiteCollectionOrderDrawCompleted",
  method: "PATCH",
  path: "/v3/order/{order_id}/draw_completed",
  tag: "orders",
  summary: "Record an on-site collection as completed",
  description: [
    "Records that you have drawn the sample of an order with the collection method `on_site_collection`.",
    "The order moves from `requisition_created` or `requisition_bypassed` to `draw_completed`.",
    "The expected dates of the result count from this day, in UTC.",
    "The event `labtest.order.updated` follows.",
    "Every other status or collection method returns `not_possible`, and so does a second call.",
  ],
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
