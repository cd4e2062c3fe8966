import { deleteItem, getObject, grants, putItem, putObject } from "../../contract/access.ts";
import { labTests, orderPlacements, orderWork } from "../../contract/resources.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import type { FindLabPartner } from "../../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../../domain/orders/lifecycle/order-commands.ts";
import { createRecreation } from "../../domain/orders/lifecycle/order-succession.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { RecreationDraft } from "../../domain/orders/placement/order-draft.ts";
import { orderEvents } from "../../events/constructors/order-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotPossible } from "../../runtime/errors.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { AppointmentWritesDependencies } from "../appointments/appointment-writes.ts";
import { syncAppointment, syncAppointmentAccess } from "../appointments/sync-appointment.ts";
import {
  type ChangeOrderDependencies,
  changeOrderAccess,
  executeOrderCommand,
  loadOrderWithTransaction,
  readOrderAccess,
  requireOrder,
} from "../orders/change-order.ts";
import { loadPlacement } from "../orders/load-placement.ts";
import {
  createOrderContext,
  type OrderContextDependencies,
  type OrderRequester,
  orderContextAccess,
  resolveLabTest,
} from "../orders/order-context.ts";
import { orderEventOptions, planOrderTask, storePlacement } from "../orders/plan-new-order.ts";
import { resolveOrderAccount } from "../orders/resolve-order-account.ts";

type RecreateOrderDependencies = ChangeOrderDependencies &
  OrderContextDependencies &
  AppointmentWritesDependencies &
  Dependencies<"orders" | "orderWork" | "outbox" | "orderPlacements"> & { readonly findPartner: FindLabPartner };

/** Grants of {@link recreateOrder}. */
export const recreateOrderAccess = grants(
  readOrderAccess,
  changeOrderAccess,
  orderContextAccess,
  [putItem(labTests), deleteItem(orderWork)],
  syncAppointmentAccess,
  [getObject(orderPlacements), putObject(orderPlacements)],
);

/** The order that replaces another, and the tasks of both. */
interface RecreatedOrder {
  readonly order: Order;
  readonly work: readonly OrderTask[];
}

/**
 * Places an order again at another laboratory. One transaction writes both orders.
 * @throws NotFound, ValidationFailed; NotPossible for an order that cannot be placed, or whose sample is collected.
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
    if (record.placement_key === null)
      throw new OrderCommandRefused("Only an order that was placed through this service can be placed again.");
    const placement = await loadPlacement(deps.orderPlacements, record.placement_key);
    const before = await loadOrderWithTransaction(scope, record.order, deps);
    const { context, account } = await resolveSuccessorContext(requester, record, draft, deps);
    const { former, successor } = createRecreation(before, context, placement.clinical_notes, at);
    const fresh = { ...placement, order_id: successor.id, ...accountFields(account) };
    const placement_key = await storePlacement(deps.orderPlacements, successor, fresh);
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

const accountFields = (account: { readonly id: string; readonly provider_account_id: string }) => ({
  lab_account_id: account.id,
  account_number: account.provider_account_id,
});

/** Resolves lab test and lab account anew, as for a first order. */
async function resolveSuccessorContext(
  requester: OrderRequester,
  { order }: OrderRecord,
  draft: RecreationDraft,
  deps: RecreateOrderDependencies,
) {
  const { scope, team } = requester;
  const requested = draft.lab_account_id ?? draft.order_set?.lab_account_id;
  const set = draft.order_set ?? { lab_test_ids: [order.lab_test.id] };
  const labTest = await resolveLabTest(requester, { ...set, method: order.lab_test.method, requested }, deps);
  if (labTest.method !== order.lab_test.method) {
    throw new NotPossible("This lab test uses another collection method than the order.");
  }
  const lab = labTest.lab?.slug ?? "";
  const account = await resolveOrderAccount(deps.labAccounts, team, { lab, purpose: "order", requested });
  if (!deps.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const context = createOrderContext(scope, order.user_id, labTest, account);
  return { context: { ...context, healthInsuranceId: order.health_insurance_id }, account };
}
