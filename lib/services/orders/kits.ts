import {
  conditionCheckItem,
  deleteItem,
  getItem,
  getObject,
  grants,
  putItem,
  putObject,
  queryItems,
} from "../../contract/access.ts";
import {
  labAccounts,
  orderPlacements,
  orders,
  outbox,
  physicians,
  userInfos,
  users,
} from "../../contract/resources.ts";
import type { LabAccount } from "../../domain/lab-tests/lab-account.ts";
import type { FindLabPartner } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { namesInsurance } from "../../domain/orders/placement/billed-insurance.ts";
import { checkRegistration } from "../../domain/orders/placement/check-order.ts";
import { newRegistrableKit, registerKit } from "../../domain/orders/placement/new-order.ts";
import type { KitRegistration, RegistrableKitDraft } from "../../domain/orders/placement/order-draft.ts";
import { toOrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound, NotPossible, UserNotFound, ValidationFailed } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import type { OrderTaskStore } from "../../store/lab-work/order-tasks.ts";
import type { PhysicianStore } from "../../store/orders/physicians.ts";
import { toValidationFailed } from "../lab-tests/lab-catalogue.ts";
import { type ChangeOrderDependencies, changeOrderAccess, executeOrderCommand } from "./change-order.ts";
import { loadPlacement } from "./load-placement.ts";
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
  storePlacement,
  submitNewOrderAccess,
  withSubmission,
} from "./plan-new-order.ts";
import { resolveOrderAccount } from "./resolve-order-account.ts";
import { withUserInfo } from "./with-user-info.ts";

/** Grants of {@link planRegistrableKit}. */
export const planRegistrableKitAccess = grants(getItem(users), orderContextAccess, submitNewOrderAccess);

/** Plans the order of a kit that ships without a patient. @throws UserNotFound, NotPossible, ValidationFailed. */
export async function planRegistrableKit(
  requester: OrderRequester,
  draft: RegistrableKitDraft,
  deps: PlanNewOrderDependencies &
    OrderContextDependencies & { readonly orderWork: OrderTaskStore; readonly findPartner: FindLabPartner },
): Promise<PlannedOrder> {
  const { scope, team } = requester;
  const user = await deps.users.get(scope, draft.user_id);
  if (!user) throw new UserNotFound();
  const requested = draft.lab_account_id;
  const labTest = await resolveLabTest(
    requester,
    { lab_test_ids: [draft.lab_test_id], method: "testkit", requested },
    deps,
  );
  if (labTest.method !== "testkit")
    throw ValidationFailed.at(["body", "lab_test_id"], "This lab test is not collected with a kit");
  const lab = labTest.lab?.slug ?? "";
  const account = await resolveOrderAccount(deps.labAccounts, team, { lab, purpose: "order", requested });
  if (!deps.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const order = newRegistrableKit(draft, createOrderContext(scope, draft.user_id, labTest, account), isoNow());
  const placement = toOrderPlacement({}, order.id, account);
  const planned = await planNewOrder({ ...requester, user }, { order, placement }, deps);
  return withSubmission(scope, planned, deps.orderWork);
}

type KitsDependencies = ChangeOrderDependencies &
  Dependencies<"orders" | "users" | "userInfos" | "labAccounts" | "orderPlacements"> & {
    readonly physicians: Pick<PhysicianStore, "put">;
  };

/** Grants of {@link registerKitBySample}. */
export const registerKitAccess = grants(
  changeOrderAccess,
  [deleteItem(orders), conditionCheckItem(users), getItem(userInfos), queryItems(labAccounts)],
  [putItem(outbox), putItem(physicians), getObject(orderPlacements), putObject(orderPlacements)],
);

/** Returns the lab account for which the kit was ordered. */
async function readPreviousAccount(
  { placement_key }: Pick<OrderRecord, "placement_key">,
  { orderPlacements }: Pick<KitsDependencies, "orderPlacements">,
): Promise<string | undefined> {
  return placement_key === null ? undefined : (await loadPlacement(orderPlacements, placement_key)).lab_account_id;
}

/**
 * Registers the patient of the kit with a given sample id.
 * @throws NotFound for an unknown sample; UserNotFound; NotPossible for a kit that is registered or not in transit;
 * ValidationFailed for a patient, place or insurance for which the team cannot order.
 */
export async function registerKitBySample(
  requester: OrderRequester,
  given: KitRegistration,
  deps: KitsDependencies,
): Promise<Order> {
  const { scope, team } = requester;
  const orderId = await deps.orders.findIdBySample(scope, given.sample_id);
  if (orderId === undefined) throw new NotFound("There is no kit with this sample.");
  return executeOrderCommand(requester, orderId, deps, async (record, at) => {
    const userId = given.user_id ?? record.order.user_id;
    const owner = await deps.users.get(scope, userId);
    if (!owner) throw new UserNotFound();
    const draft = withUserInfo(given, await deps.userInfos.get(scope, userId));
    const insuranceId = namesInsurance(draft.health_insurance) ? ports().ids.uuid() : null;
    const order = registerKit(record.order, draft, insuranceId, at);
    const lab = order.lab_test.lab?.slug ?? "";
    const previous = await readPreviousAccount(record, deps);
    const account = await resolveOrderAccount(deps.labAccounts, team, { lab, purpose: "order", previous });
    requireRegistrable(requester, draft, order, account);
    if (order.physician) await deps.physicians.put(scope, order.physician);
    const placement = toOrderPlacement({ ...draft, user_id: userId }, order.id, account);
    const placement_key = await storePlacement(deps.orderPlacements, order, placement);
    const items = deps.orders.changeUserItems(scope, order.id, record.order.user_id, userId);
    return { order, owner, placement_key, items: [deps.users.requireActiveItem(scope, userId), ...items] };
  });
}

/** @throws ValidationFailed for a patient, place or insurance for which the team cannot order. */
function requireRegistrable({ team }: OrderRequester, draft: KitRegistration, order: Order, account: LabAccount): void {
  const allowsMinors = team.settings.minor_ordering_enabled;
  const hasInsurance = order.health_insurance_id !== null;
  const context = { account, today: isoNow().slice(0, 10), allowsMinors, hasInsurance };
  const problems = checkRegistration(draft, order, context);
  if (problems.length > 0) throw toValidationFailed(problems);
}
