import { deleteItem, grants } from "../../contract/access.ts";
import { orderWork } from "../../contract/resources.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { RecreationDraft } from "../../domain/orders/placement/order-draft.ts";
import { orderEvents } from "../../events/constructors/order-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { AppointmentWritesDependencies } from "../appointments/appointment-writes.ts";
import { syncAppointment, syncAppointmentAccess } from "../appointments/sync-appointment.ts";
import {
  type ChangeOrderDependencies,
  changeOrderAccess,
  executeOrderCommand,
  readOrderAccess,
  requireOrder,
} from "../orders/change-order.ts";
import type { OrderRequester } from "../orders/order-context.ts";
import { orderEventOptions, planOrderTask } from "../orders/plan-new-order.ts";
import { type PlanRecreationDependencies, planRecreation, planRecreationAccess } from "../orders/plan-recreation.ts";

type RecreateOrderDependencies = ChangeOrderDependencies &
  PlanRecreationDependencies &
  AppointmentWritesDependencies &
  Dependencies<"orders" | "orderWork" | "outbox">;

/** Grants of {@link recreateOrder}. */
export const recreateOrderAccess = grants(
  readOrderAccess,
  changeOrderAccess,
  planRecreationAccess,
  deleteItem(orderWork),
  syncAppointmentAccess,
);

/** The order that replaces another, and the tasks of both. */
interface RecreatedOrder {
  readonly order: Order;
  readonly work: readonly OrderTask[];
}

/**
 * Places an order again at another laboratory. One transaction writes both orders.
 * @throws NotFound, ValidationFailed; NotPossible for an order that cannot be placed again, or has a successor.
 */
export async function recreateOrder(
  requester: OrderRequester,
  orderId: string,
  draft: RecreationDraft,
  deps: RecreateOrderDependencies,
): Promise<RecreatedOrder> {
  const { scope, team } = requester;
  const { user } = await requireOrder(scope, orderId, deps);
  let recreated: RecreatedOrder | undefined;
  await executeOrderCommand(requester, orderId, deps, async (record, at) => {
    const { former, successor, placement_key } = await planRecreation(requester, record, draft, deps, at);
    const submit = planOrderTask(successor, { kind: "submit" }, at);
    const needsCancellation = record.requisition !== null && former.last_event.id > record.order.last_event.id;
    const work = [submit, ...(needsCancellation ? [planOrderTask(former, { kind: "cancel" }, at)] : [])];
    const created = { order: successor, revision: 1, placement_key, requisition: null };
    const agreed = await syncAppointment({ scope, record, user, at }, { order: former }, deps);
    const items: WriteItem[] = [
      ...deps.orders.createItems(scope, created),
      ...(["submit", "walk"] as const).map((kind) => deps.orderWork.deleteItem(scope, orderId, kind)),
      ...work.map((piece) => deps.orderWork.putItem(scope, piece)),
      ...orderEvents(undefined, successor, orderEventOptions(team, user)).map((event) =>
        deps.outbox.appendItem(event, at),
      ),
    ];
    recreated = { order: successor, work: [...work, ...agreed.tasks] };
    return { ...agreed.change, items: [...items, ...(agreed.change.items ?? [])] };
  });
  if (!recreated) throw new Error("a recreated order has no successor");
  return recreated;
}
