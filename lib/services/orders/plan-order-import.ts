import { getItem, grants, putItem } from "../../contract/access.ts";
import { labTests, physicians, userInfos, users } from "../../contract/resources.ts";
import { checkOrderSet, checkPatientAge } from "../../domain/orders/placement/check-order.ts";
import { newImportedOrder } from "../../domain/orders/placement/new-order.ts";
import type { ImportDraft } from "../../domain/orders/placement/order-draft.ts";
import { toOrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { UserNotFound, ValidationFailed } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { PhysicianStore } from "../../store/orders/physicians.ts";
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
  planNewOrderAccess,
} from "./plan-new-order.ts";
import { resolveOrderAccount } from "./resolve-order-account.ts";
import { withUserInfo } from "./with-user-info.ts";

type PlanOrderImportDependencies = PlanNewOrderDependencies &
  OrderContextDependencies &
  Dependencies<"userInfos"> & { readonly physicians: Pick<PhysicianStore, "put"> };

/** Grants of {@link planOrderImport}. */
export const planOrderImportAccess = grants(
  [getItem(users), getItem(userInfos)],
  orderContextAccess,
  putItem(labTests),
  planNewOrderAccess,
  putItem(physicians),
);

/** Plans an order that was placed elsewhere. No laboratory receives it. @throws as `planOrder`. */
export async function planOrderImport(
  requester: OrderRequester,
  given: ImportDraft,
  deps: PlanOrderImportDependencies,
): Promise<PlannedOrder> {
  const { scope, team } = requester;
  const user = await deps.users.get(scope, given.user_id);
  if (!user) throw new UserNotFound();
  const draft = withUserInfo(given, await deps.userInfos.get(scope, given.user_id));
  const at = isoNow();
  const age = { today: at.slice(0, 10), allowsMinors: team.settings.minor_ordering_enabled };
  const problems = [...checkOrderSet(draft), ...checkPatientAge(draft, age)];
  if (problems.length > 0) throw toValidationFailed(problems);
  const requested = draft.lab_account_id ?? draft.order_set.lab_account_id;
  const set = { ...draft.order_set, method: draft.collection_method, requested };
  const labTest = await resolveLabTest(requester, set, deps);
  if (labTest.method !== draft.collection_method) {
    throw ValidationFailed.at(["body", "collection_method"], "This lab test uses another collection method");
  }
  const lab = labTest.lab?.slug ?? "";
  const account = await resolveOrderAccount(deps.labAccounts, team, { lab, purpose: "import", requested });
  const order = newImportedOrder(draft, createOrderContext(scope, draft.user_id, labTest, account), at);
  const placement = toOrderPlacement(draft, order.id, account);
  if (order.physician) await deps.physicians.put(scope, order.physician);
  return planNewOrder({ ...requester, user }, { order, placement }, deps);
}
