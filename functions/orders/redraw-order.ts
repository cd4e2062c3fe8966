import { get, keep, load, put, remove, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderPlacements, orders, orderWork, outbox, users } from "../../lib/contract/resources.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { commandOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { type PlannedRedraw, planRedraw } from "../../lib/runtime/orders/redrawing.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/**
 * Ends an order with partial results, and places its successor for a second sample. A transaction can have one redraw.
 */
export const contract = endpoint({
  operationId: "redrawOrder",
  method: "POST",
  path: "/v3/order/{order_id}/redraw",
  tag: "orders",
  summary: "Redraw the sample of an order",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [
    get(orders),
    put(orders),
    get(users),
    put(orderWork),
    remove(orderWork),
    put(outbox),
    load(orderPlacements),
    keep(orderPlacements),
    send(labWork),
  ],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, log }, uses) => {
  const planned: PlannedRedraw[] = [];
  await commandOrder({ scope, team }, order_id, uses, async (record, at) => {
    const redrawn = await planRedraw({ scope, team }, record, uses, at);
    planned.splice(0, 1, redrawn);
    return { order: redrawn.former, items: [...redrawn.items, uses.orderWork.dropItem(scope, order_id, "walk")] };
  });
  const [redrawn] = planned;
  if (!redrawn) throw new Error("the redraw has no successor order");
  await startWork(uses.labWork, [redrawn.work], log);
  return toPlacedOrder(redrawn.successor, "The redraw is placed.");
});
