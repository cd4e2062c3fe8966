import { getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orders, orderWork, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import type { OrderTask } from "../../lib/domain/lab-work/order-task.ts";
import { rescheduleDispatch } from "../../lib/domain/orders/lifecycle/order-commands.ts";
import { orderPatch } from "../../lib/domain/orders/placement/order-draft.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { executeOrderCommand } from "../../lib/services/orders/change-order.ts";
import { planOrderTask, submissionTime } from "../../lib/services/orders/plan-new-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "updateOrder",
  method: "PATCH",
  path: "/v3/order/{order_id}",
  tag: "orders",
  summary: "Update the dispatch date of an order",
  description: [
    "Changes the date on which the service submits a waiting order to its laboratory.",
    "The order is due from midnight UTC of `activate_by`; null dispatches it at once, and then its date is final.",
    "The order must have an activation date, and the status `ordered` or `awaiting_registration`.",
    "Otherwise, and for a date in the past (UTC), the response is `not_possible`. The change sends no event.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  body: orderPatch,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: [getItem(orders), putItem(orders), putItem(orderWork), getItem(users), sendMessage(labWork)],
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, body, log }, deps) => {
  const tasks: OrderTask[] = [];
  const changed = await executeOrderCommand({ scope, team }, order_id, deps, ({ order: before, requisition }, at) => {
    const order = rescheduleDispatch(before, body.activate_by, at.slice(0, 10), at);
    const submit = () => planOrderTask(order, { kind: "submit" }, submissionTime(order, at));
    tasks.splice(0, 1, ...(requisition === null ? [submit()] : []));
    return { order, items: tasks.map((task) => deps.orderWork.putItem(scope, task)) };
  });
  await scheduleOrderTasks(deps.labWork, tasks, log);
  return toPlacedOrder(changed, "The dispatch date is changed.");
});
