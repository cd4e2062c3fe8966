import { getItem, grants, putItem, queryItems } from "../../contract/access.ts";
import { insurances, labTests, physicians, userInfos, users } from "../../contract/resources.ts";
import type { Insurance } from "../../domain/insurance/insurance.ts";
import type { FindLabPartner } from "../../domain/orders/lab-partner.ts";
import { namesInsurance } from "../../domain/orders/placement/billed-insurance.ts";
import { checkOrder, checkOrderSet } from "../../domain/orders/placement/check-order.ts";
import { newOrder } from "../../domain/orders/placement/new-order.ts";
import type { OrderDraft } from "../../domain/orders/placement/order-draft.ts";
import { toOrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotPossible, UserNotFound } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import type { PhysicianStore } from "../../store/orders/physicians.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { toValidationFailed } from "../lab-tests/lab-catalogue.ts";
import {
  createOrderContext,
  type OrderContextDependencies,
  type OrderRequester,
  orderContextAccess,
  resolveLabTest,
} from "./order-context.ts";
import {
  type PlanNewOrderDependencies,
  type PlannedOrder,
  planNewOrder,
  submitNewOrderAccess,
  withSubmission,
} from "./plan-new-order.ts";
import { resolveOrderAccount } from "./resolve-order-account.ts";
import { withUserInfo } from "./with-user-info.ts";

/** Dependencies of planning an order. */
export type PlanOrderDependencies = PlanNewOrderDependencies &
  OrderContextDependencies &
  Dependencies<"orderWork" | "userInfos" | "insurances"> & {
    readonly physicians: Pick<PhysicianStore, "put">;
    readonly findPartner: FindLabPartner;
  };

/** Grants of {@link planOrder}. */
export const planOrderAccess = grants(
  [getItem(users), getItem(userInfos), queryItems(insurances)],
  orderContextAccess,
  putItem(labTests),
  submitNewOrderAccess,
  putItem(physicians),
);

/**
 * Plans the order that a team places.
 * @throws UserNotFound, NotFound, NotPossible, ValidationFailed for an order that cannot be placed.
 */
export async function planOrder(
  requester: OrderRequester,
  given: OrderDraft,
  deps: PlanOrderDependencies,
): Promise<PlannedOrder> {
  const { scope, team } = requester;
  const user = await deps.users.get(scope, given.user_id);
  if (!user) throw new UserNotFound();
  const problems = checkOrderSet(given);
  if (problems.length > 0) throw toValidationFailed(problems);
  const requested = given.lab_account_id ?? given.order_set?.lab_account_id;
  const set = given.order_set ?? { lab_test_ids: [given.lab_test_id ?? ""] };
  const labTest = await resolveLabTest(requester, { ...set, method: given.collection_method, requested }, deps);
  const lab = labTest.lab?.slug ?? "";
  const account = await resolveOrderAccount(deps.labAccounts, team, { lab, purpose: "order", requested });
  if (!deps.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const draft = withUserInfo(given, await deps.userInfos.get(scope, given.user_id));
  const insurance = await findPayingInsurance(draft, scope, deps);
  const at = isoNow();
  const today = at.slice(0, 10);
  const allowsMinors = team.settings.minor_ordering_enabled;
  const refused = checkOrder(draft, { labTest, account, today, allowsMinors, hasInsurance: insurance !== undefined });
  if (refused.length > 0) throw toValidationFailed(refused);
  const context = {
    ...createOrderContext(scope, given.user_id, labTest, account),
    healthInsuranceId: insurance?.id ?? null,
  };
  const order = newOrder(draft, context, at);
  const placement = toOrderPlacement(draft, order.id, account);
  if (order.physician) await deps.physicians.put(scope, order.physician);
  const planned = await planNewOrder({ ...requester, user }, { order, placement }, deps);
  return withSubmission(scope, planned, deps.orderWork);
}

/**
 * Finds the insurance to bill: the one that the order names, or else the newest primary insurance of the user.
 * An order that names a payor alone is billed to the user's insurance only if that is of the same payor.
 */
async function findPayingInsurance(
  { billing_type, health_insurance, user_id }: OrderDraft,
  scope: TeamScope,
  { insurances }: Pick<PlanOrderDependencies, "insurances">,
): Promise<Pick<Insurance, "id"> | undefined> {
  if (namesInsurance(health_insurance)) return { id: ports().ids.uuid() };
  if (billing_type !== "commercial_insurance") return undefined;
  const stored = await insurances.getLatest(scope, user_id, true);
  const payor = health_insurance?.payor_code;
  return !payor || stored?.payor_code === payor ? stored : undefined;
}
