import { get, put, remove, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { appointments, orders, orderWork, outbox, slots, users } from "../../lib/contract/resources.ts";
import { cancelOrder } from "../../lib/domain/orders/order-commands.ts";
import type { OrderWork } from "../../lib/domain/orders/order-work.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { withAppointment } from "../../lib/runtime/appointments/following-orders.ts";
import { commandOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { planWork } from "../../lib/runtime/new-order-items.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/**
 * Cancels an order until its sample is in transit. Notifies a laboratory that has the order, and cancels its at-home
 * appointment.
 */
export const contract = endpoint({
  operationId: "cancelOrder",
  method: "POST",
  path: "/v3/order/{order_id}/cancel",
  tag: "orders",
  summary: "Cancel an order",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [
    get(orders),
    put(orders),
    get(users),
    put(outbox),
    send(labWork),
    get(orderWork),
    put(orderWork),
    remove(orderWork),
    get(appointments),
    put(appointments),
    remove(slots),
  ],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, log }, uses) => {
  const work: OrderWork[] = [];
  const cancelled = await commandOrder({ scope, team }, order_id, uses, async (record, at, user) => {
    const order = cancelOrder(record.order, at);
    const told = record.requisition === null ? [] : [planWork(order, { kind: "cancel" }, at)];
    const given = (["submit", "walk"] as const).map((kind) => uses.orderWork.dropItem(scope, order_id, kind));
    const change = { order, items: [...given, ...told.map((piece) => uses.orderWork.putItem(scope, piece))] };
    const agreed = await withAppointment({ scope, record, user, at }, change, uses);
    work.splice(0, work.length, ...told, ...agreed.work);
    return agreed.change;
  });
  await startWork(uses.labWork, work, log);
  return toPlacedOrder(cancelled, "The order is cancelled.");
});
