import { getObject, grants, putItem, putObject } from "../../contract/access.ts";
import { labTests, orderPlacements } from "../../contract/resources.ts";
import type { FindLabPartner } from "../../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../../domain/orders/lifecycle/order-commands.ts";
import {
  createRecreation,
  type OrderSuccession,
  recreationRefusal,
} from "../../domain/orders/lifecycle/order-succession.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { mergeAoeAnswers } from "../../domain/orders/placement/check-aoe-answers.ts";
import { checkOrderSet, checkRecreation } from "../../domain/orders/placement/check-order.ts";
import type { RecreationDraft } from "../../domain/orders/placement/order-draft.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotPossible } from "../../runtime/errors.ts";
import { toValidationFailed } from "../lab-tests/lab-catalogue.ts";
import { loadOrderWithTransaction, type OrderReadDependencies, orderTransactionAccess } from "./change-order.ts";
import { loadPlacement } from "./load-placement.ts";
import {
  createOrderContext,
  type OrderContextDependencies,
  type OrderRequester,
  orderContextAccess,
  resolveLabTest,
} from "./order-context.ts";
import { storePlacement } from "./plan-new-order.ts";
import { resolveOrderAccount } from "./resolve-order-account.ts";

/** Dependencies of a recreation. */
export type PlanRecreationDependencies = OrderContextDependencies &
  Dependencies<"orderPlacements"> &
  Pick<OrderReadDependencies, "orders"> & { readonly findPartner: FindLabPartner };

/** Grants of {@link planRecreation}. */
export const planRecreationAccess = grants(orderTransactionAccess, orderContextAccess, putItem(labTests), [
  getObject(orderPlacements),
  putObject(orderPlacements),
]);

/** A recreation: the former order ends, and its successor goes to another laboratory. */
export interface PlannedRecreation extends OrderSuccession {
  /** Key of the stored placement of the successor. */
  readonly placement_key: string;
}

/**
 * Plans an order again at another laboratory, by the rules of a first order. Stores the placement of the successor.
 * @throws OrderCommandRefused for an order that cannot be placed again; NotFound, NotPossible, ValidationFailed.
 */
export async function planRecreation(
  requester: OrderRequester,
  { order, placement_key }: OrderRecord,
  draft: RecreationDraft,
  deps: PlanRecreationDependencies,
  at: string,
): Promise<PlannedRecreation> {
  const before = await loadOrderWithTransaction(requester.scope, order, deps);
  const refusal = recreationRefusal(before);
  if (refusal !== undefined) throw new OrderCommandRefused(refusal);
  if (placement_key === null) throw new Error("an order without a placement has no successor");
  const placement = await loadPlacement(deps.orderPlacements, placement_key);
  const { context, account } = await resolveSuccessorContext(requester, before, draft, deps);
  const { labTest } = context;
  const aoe_answers = mergeAoeAnswers(labTest.markers ?? [], draft.aoe_answers ?? [], placement.aoe_answers);
  const problems = checkRecreation(before, aoe_answers, { labTest, account });
  if (problems.length > 0) throw toValidationFailed(problems);
  const succession = createRecreation(before, context, placement.clinical_notes, at);
  const fresh = {
    ...placement,
    aoe_answers,
    order_id: succession.successor.id,
    lab_account_id: account.id,
    account_number: account.provider_account_id,
  };
  return { ...succession, placement_key: await storePlacement(deps.orderPlacements, succession.successor, fresh) };
}

/** Resolves lab test and lab account anew, as for a first order. */
async function resolveSuccessorContext(
  requester: OrderRequester,
  order: Order,
  draft: RecreationDraft,
  deps: PlanRecreationDependencies,
) {
  const { scope, team } = requester;
  const unset = draft.order_set ? checkOrderSet({ order_set: draft.order_set }) : [];
  if (unset.length > 0) throw toValidationFailed(unset);
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
