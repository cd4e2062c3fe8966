import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orders, orderWork, users } from "../../lib/contract/resources.ts";
import { reschedule } from "../../lib/domain/orders/order-commands.ts";
import { orderPatch } from "../../lib/domain/orders/order-draft.ts";
import type { OrderWork } from "../../lib/domain/orders/order-work.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { commandOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { planWork, submissionAt } from "../../lib/runtime/new-order-items.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/** Changes the dispatch date of a waiting order; null dispatches it at once. */
export const contract = endpoint({
  operationId: "updateOrder",
  method: "PATCH",
  path: "/v3/order/{order_id}",
  tag: "orders",
  summary: "Update the dispatch date of an order",
  auth: "team",
  params: orderParams,
  query: nothing,
  body: orderPatch,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [get(orders), put(orders), put(orderWork), get(users), send(labWork)],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, body, log }, uses) => {
  const work: OrderWork[] = [];
  const changed = await commandOrder({ scope, team }, order_id, uses, ({ order: before, requisition }, at) => {
    const order = reschedule(before, body.activate_by, at.slice(0, 10), at);
    const submit = () => planWork(order, { kind: "submit" }, submissionAt(order, at));
    work.splice(0, 1, ...(requisition === null ? [submit()] : []));
    return { order, items: work.map((piece) => uses.orderWork.putItem(scope, piece)) };
  });
  await startWork(uses.labWork, work, log);
  return toPlacedOrder(changed, "The dispatch date is changed.");
});
