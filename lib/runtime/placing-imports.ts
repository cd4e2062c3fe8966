import { refusedOrderSet } from "../domain/orders/check-order.ts";
import { importedOrder } from "../domain/orders/new-order.ts";
import type { ImportDraft } from "../domain/orders/order-draft.ts";
import { placementOf } from "../domain/orders/order-placement.ts";
import type { PhysicianStore } from "../store/physicians.ts";
import { UserNotFound, ValidationFailed } from "./errors.ts";
import { refuse } from "./lab-catalogue.ts";
import { type NewOrderUses, type PlannedOrder, planNewOrder } from "./new-order-items.ts";
import { accountForOrder } from "./order-account.ts";
import { groundOf, type LabTestUses, labTestOf, type Placer } from "./order-ground.ts";
import { isoNow } from "./ports.ts";

/** Plans an order that was placed elsewhere. No laboratory receives it. @throws as `planOrder`. */
export async function planImport(
  placer: Placer,
  draft: ImportDraft,
  uses: NewOrderUses & LabTestUses & { readonly physicians: Pick<PhysicianStore, "note"> },
): Promise<PlannedOrder> {
  const { scope, team } = placer;
  const user = await uses.users.get(scope, draft.user_id);
  if (!user) throw new UserNotFound();
  const problems = refusedOrderSet(draft);
  if (problems.length > 0) throw refuse(problems);
  const requested = draft.lab_account_id ?? draft.order_set.lab_account_id;
  const set = { ...draft.order_set, method: draft.collection_method, requested };
  const labTest = await labTestOf(placer, set, uses);
  if (labTest.method !== draft.collection_method) {
    throw ValidationFailed.at(["body", "collection_method"], "This lab test uses another collection method");
  }
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "import", requested });
  const order = importedOrder(draft, groundOf(scope, draft.user_id, labTest, account), isoNow());
  const placement = placementOf(draft, order.id, account);
  if (order.physician) await uses.physicians.note(scope, order.physician);
  return planNewOrder({ ...placer, user }, { order, placement }, uses);
}
