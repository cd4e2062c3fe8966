import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { registerKit, registrableKit } from "../domain/orders/new-order.ts";
import type { KitRegistration, RegistrableKitDraft } from "../domain/orders/order-draft.ts";
import type { Order } from "../domain/orders/order-move.ts";
import { placementOf } from "../domain/orders/order-placement.ts";
import { yearsBetween } from "../domain/orders/patient-draft.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { PhysicianStore } from "../store/physicians.ts";
import type { UserStore } from "../store/users.ts";
import type { Bucket } from "./bucket.ts";
import { commandOrder, type OrderUses } from "./changing-orders.ts";
import { NotFound, NotPossible, UserNotFound, ValidationFailed } from "./errors.ts";
import {
  keepPlacement,
  type NewOrderUses,
  type PlannedOrder,
  planNewOrder,
  withSubmission,
} from "./new-order-items.ts";
import { accountForOrder } from "./order-account.ts";
import { groundOf, type LabTestUses, labTestOf, type Placer } from "./order-ground.ts";
import { isoNow } from "./ports.ts";

/** Plans the order of a kit that ships without a patient. @throws UserNotFound, NotPossible, ValidationFailed. */
export async function planRegistrableKit(
  placer: Placer,
  draft: RegistrableKitDraft,
  uses: NewOrderUses & LabTestUses & { readonly orderWork: OrderWorkStore; readonly findPartner: FindPartner },
): Promise<PlannedOrder> {
  const { scope, team } = placer;
  const user = await uses.users.get(scope, draft.user_id);
  if (!user) throw new UserNotFound();
  const requested = draft.lab_account_id;
  const labTest = await labTestOf(placer, { lab_test_ids: [draft.lab_test_id], method: "testkit", requested }, uses);
  if (labTest.method !== "testkit")
    throw ValidationFailed.at(["body", "lab_test_id"], "This lab test is not collected with a kit");
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "order", requested });
  if (!uses.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const order = registrableKit(draft, groundOf(scope, draft.user_id, labTest, account), isoNow());
  const placement = placementOf({}, order.id, account);
  const planned = await planNewOrder({ ...placer, user }, { order, placement }, uses);
  return withSubmission(scope, planned, uses.orderWork);
}

interface RegistrationUses extends OrderUses {
  readonly orders: OrderStore;
  readonly users: UserStore;
  readonly labAccounts: LabAccountStore;
  readonly physicians: Pick<PhysicianStore, "note">;
  readonly orderPlacements: Bucket;
}

/**
 * Registers the patient of the kit with a given sample id.
 * @throws NotFound for an unknown sample; UserNotFound; NotPossible for a kit that is registered or not in transit.
 */
export async function registerKitOf(placer: Placer, draft: KitRegistration, uses: RegistrationUses): Promise<Order> {
  const { scope, team } = placer;
  const orderId = await uses.orders.holderOf(scope, draft.sample_id);
  if (orderId === undefined) throw new NotFound("There is no kit with this sample.");
  checkAge(placer, draft);
  return commandOrder(placer, orderId, uses, async (record, at) => {
    const owner = draft.user_id ?? record.order.user_id;
    if (!(await uses.users.get(scope, owner))) throw new UserNotFound();
    const order = registerKit(record.order, draft, at);
    const lab = order.lab_test.lab?.slug ?? "";
    if (order.physician) await uses.physicians.note(scope, order.physician);
    const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "order" });
    const placement = placementOf({ ...draft, user_id: owner }, order.id, account);
    const placement_key = await keepPlacement(uses.orderPlacements, order, placement);
    const items = uses.orders.moveItems(scope, order.id, record.order.user_id, owner);
    return { order, placement_key, items: [uses.users.requireActiveItem(scope, owner), ...items] };
  });
}

const ADULT_YEARS = 18;

function checkAge({ team }: Placer, { patient_details: { dob, medical_proxy } }: KitRegistration): void {
  if (yearsBetween(dob, isoNow().slice(0, 10)) >= ADULT_YEARS) return;
  const isAllowed = team.settings.minor_ordering_enabled && medical_proxy;
  if (!isAllowed)
    throw ValidationFailed.at(
      ["body", "patient_details", "dob"],
      "A patient under 18 needs minor ordering to be enabled and a medical proxy",
    );
}
