import { deleteItem, grants, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderWork, outbox } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import type { OrderTask } from "../../lib/domain/lab-work/order-task.ts";
import { cancelOrder } from "../../lib/domain/orders/lifecycle/order-commands.ts";
import { orderParams, toPlacedOrder, wirePlacedOrder } from "../../lib/domain/orders/wire-placed-order.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { syncAppointment, syncAppointmentAccess } from "../../lib/services/appointments/sync-appointment.ts";
import { changeOrderAccess, executeOrderCommand } from "../../lib/services/orders/change-order.ts";
import { planOrderTask } from "../../lib/services/orders/plan-new-order.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

export const contract = endpoint({
  operationId: "cancelOrder",
  method: "POST",
  path: "/v3/order/{order_id}/cancel",
  tag: "orders",
  summary: "Cancel an order",
  description: [
    "Cancels an order whose status has a transition to `cancelled`.",
    "The service drops a pending submission, and tells a laboratory that has the order asynchronously.",
    "It also cancels an at-home phlebotomy appointment; an appointment at a patient service center stays as it is.",
    "The event `labtest.order.updated` follows, and `labtest.appointment.updated` of a cancelled appointment.",
    "`not_possible` means that the sample is on its way or the order has ended; its message names the current status.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wirePlacedOrder,
  errors: [NotFound, NotPossible],
  access: grants(
    changeOrderAccess,
    putItem(outbox),
    syncAppointmentAccess,
    deleteItem(orderWork),
    sendMessage(labWork),
  ),
});

export const handler = implement(contract, async ({ scope, team, params: { order_id }, log }, deps) => {
  const tasks: OrderTask[] = [];
  const cancelled = await executeOrderCommand({ scope, team }, order_id, deps, async (record, at, user) => {
    const order = cancelOrder(record.order, at);
    const cancelTasks = record.requisition === null ? [] : [planOrderTask(order, { kind: "cancel" }, at)];
    const deletions = (["submit", "walk"] as const).map((kind) => deps.orderWork.deleteItem(scope, order_id, kind));
    const change = { order, items: [...deletions, ...cancelTasks.map((task) => deps.orderWork.putItem(scope, task))] };
    const withVisit = await syncAppointment({ scope, record, user, at }, change, deps);
    tasks.splice(0, tasks.length, ...cancelTasks, ...withVisit.tasks);
    return withVisit.change;
  });
  await scheduleOrderTasks(deps.labWork, tasks, log);
  return toPlacedOrder(cancelled, "The order is cancelled.");
});
