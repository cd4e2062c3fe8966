import { deleteItem, grants, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderWork } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { changeOrderAccess, executeOrderCommand } from "../../lib/services/orders/change-order.ts";
import { type PlannedRedraw, planRedraw, planRedrawAccess } from "../../lib/services/orders/plan-redraw.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "redrawOrder",
  method: "POST",
  path: "/v3/order/{order_id}/redraw",
  tag: "orders",
  summary: "Request a redraw of an order",
  description: [
    "Requests a second sample for a walk-in order in `partial_results`, at the same laboratory and lab account.",
    "The order ends in `redraw_available`. The response contains its successor, which has the origin `redraw`.",
    "The successor starts in `ordered` and joins the order transaction; the service submits it asynchronously.",
    "The laboratory must be `labcorp`, `quest` or `bioreference`. An imported order has no redraw.",
    "An order transaction allows one redraw: a second call returns `not_possible`.",
    "The events `labtest.order.updated` of the order and `labtest.order.created` of its successor follow.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: grants(changeOrderAccess, planRedrawAccess, deleteItem(orderWork), sendMessage(labWork)),
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, log }, deps) => {
  const planned: PlannedRedraw[] = [];
  await executeOrderCommand({ scope, team }, order_id, deps, async (record, at) => {
    const redrawn = await planRedraw({ scope, team }, record, deps, at);
    planned.splice(0, 1, redrawn);
    return { order: redrawn.former, items: [...redrawn.items, deps.orderWork.deleteItem(scope, order_id, "walk")] };
  });
  const [redrawn] = planned;
  if (!redrawn) throw new Error("the redraw has no successor order");
  await scheduleOrderTasks(deps.labWork, [redrawn.task], log);
  return toPlacedOrder(redrawn.successor, "The redraw is placed.");
});
