import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../domain/orders/order-commands.ts";
import type { RecreationDraft } from "../domain/orders/order-draft.ts";
import type { Order } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { OrderWork } from "../domain/orders/order-work.ts";
import { recreate } from "../domain/orders/succession.ts";
import { orderEvents } from "../events/order-events.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { AppointmentUses } from "./appointments/appointment-writes.ts";
import { withAppointment } from "./appointments/following-orders.ts";
import type { Bucket } from "./bucket.ts";
import { commandOrder, type OrderUses, requireOrder, shown } from "./changing-orders.ts";
import { NotPossible } from "./errors.ts";
import { keepPlacement, planWork, tellingOf } from "./new-order-items.ts";
import { accountForOrder } from "./order-account.ts";
import { groundOf, type LabTestUses, labTestOf, type Placer } from "./order-ground.ts";
import { loadPlacement } from "./orders/loading-placement.ts";

interface RecreationUses extends OrderUses, LabTestUses, AppointmentUses {
  readonly orders: OrderStore;
  readonly orderWork: OrderWorkStore;
  readonly outbox: OutboxStore;
  readonly orderPlacements: Bucket;
  readonly findPartner: FindPartner;
}

/** The order that replaces another, and the tasks of both. */
interface Recreated {
  readonly order: Order;
  readonly work: readonly OrderWork[];
}

/**
 * Places an order again at another laboratory. One transaction writes both orders.
 * @throws NotFound, ValidationFailed; NotPossible for an order that cannot be placed, or whose sample is collected.
 */
export async function recreateOrder(
  placer: Placer,
  orderId: string,
  draft: RecreationDraft,
  uses: RecreationUses,
): Promise<Recreated> {
  const { scope, team } = placer;
  const { user } = await requireOrder(scope, orderId, uses);
  let recreated: Recreated | undefined;
  await commandOrder(placer, orderId, uses, async (record, at) => {
    if (record.placement_key === null)
      throw new OrderCommandRefused("Only an order that was placed through this service can be placed again.");
    const placement = await loadPlacement(uses.orderPlacements, record.placement_key);
    const before = await shown(scope, record.order, uses);
    const { ground, account } = await freshGround(placer, record, draft, uses);
    const { former, successor } = recreate(before, ground, placement.clinical_notes, at);
    const fresh = { ...placement, order_id: successor.id, ...accountOf(account) };
    const placement_key = await keepPlacement(uses.orderPlacements, successor, fresh);
    const submit = planWork(successor, { kind: "submit" }, at);
    const isTold = record.requisition !== null && former.last_event.id > record.order.last_event.id;
    const work = [submit, ...(isTold ? [planWork(former, { kind: "cancel" }, at)] : [])];
    const created = { order: successor, revision: 1, placement_key, requisition: null };
    const agreed = await withAppointment({ scope, record, user, at }, { order: former }, uses);
    const items: WriteItem[] = [
      ...uses.orders.createItems(scope, created),
      ...(["submit", "walk"] as const).map((kind) => uses.orderWork.dropItem(scope, orderId, kind)),
      ...work.map((piece) => uses.orderWork.putItem(scope, piece)),
      ...orderEvents(undefined, successor, tellingOf(team, user)).map((event) => uses.outbox.addItem(event, at)),
    ];
    recreated = { order: successor, work: [...work, ...agreed.work] };
    return { ...agreed.change, items: [...items, ...(agreed.change.items ?? [])] };
  });
  if (!recreated) throw new Error("a recreated order has no successor");
  return recreated;
}

const accountOf = (account: { readonly id: string; readonly provider_account_id: string }) => ({
  lab_account_id: account.id,
  account_number: account.provider_account_id,
});

/** Resolves lab test and lab account anew, as for a first order. */
async function freshGround(placer: Placer, { order }: OrderRecord, draft: RecreationDraft, uses: RecreationUses) {
  const { scope, team } = placer;
  const requested = draft.lab_account_id ?? draft.order_set?.lab_account_id;
  const set = draft.order_set ?? { lab_test_ids: [order.lab_test.id] };
  const labTest = await labTestOf(placer, { ...set, method: order.lab_test.method, requested }, uses);
  if (labTest.method !== order.lab_test.method) {
    throw new NotPossible("This lab test uses another collection method than the order.");
  }
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "order", requested });
  if (!uses.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const ground = groundOf(scope, order.user_id, labTest, account);
  return { ground: { ...ground, healthInsuranceId: order.health_insurance_id }, account };
}
