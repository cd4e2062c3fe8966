import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import { type Order, transitionTo } from "../../domain/orders/lifecycle/order-transitions.ts";
import { collectionMethodOf } from "../../domain/orders/lifecycle/transition-table.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { newOrder } from "../../domain/orders/placement/new-order.ts";
import { type OrderDraft, orderDraft } from "../../domain/orders/placement/order-draft.ts";
import { toOrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { OrderStanding } from "../../domain/results/match-report.ts";
import type { MatchTest } from "../../domain/results/match-test.ts";
import { statusPathToOpen } from "../../domain/results/match-test-cases.ts";
import { nameUuid } from "../../domain/shared/name-uuid.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ClientUserIdTaken } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import { unlessConditionFailed } from "../../store/condition-failed.ts";
import { changeOrder } from "../orders/change-order.ts";
import {
  createOrderContext,
  type OrderContextDependencies,
  type OrderRequester,
  resolveLabTest,
} from "../orders/order-context.ts";
import { type PlanNewOrderDependencies, planNewOrder, writeNewOrder } from "../orders/plan-new-order.ts";
import { resolveOrderAccount } from "../orders/resolve-order-account.ts";
import { type CreateUserDependencies, createUser } from "../users/create-user.ts";

/** Dependencies of creating the orders of a match test. */
export type MatchTestOrdersDependencies = PlanNewOrderDependencies &
  OrderContextDependencies &
  CreateUserDependencies &
  Dependencies<"users" | "reservations">;

/** Client user id of the user for all match test orders of a team. */
const CLIENT_USER_ID = "unmatched-result-tests";
/** The predefined walk-in lab test of a sandbox. */
const WALK_IN_TEST_ID = "00000000-0000-4000-9000-000000000002";
const LETTERS = "abcdefghijklmnop";

/** Creates the patient of a match test. A unique name keeps orders of other match tests from matching. */
function createPatient({ run_id }: MatchTest): Pick<OrderDraft, "patient_details" | "patient_address"> {
  const name = run_id
    .replaceAll("-", "")
    .slice(0, 12)
    .replaceAll(/./g, (digit) => LETTERS[Number.parseInt(digit, 16)] ?? "a");
  const { patient_details, patient_address } = orderDraft.pick({ patient_details: true, patient_address: true }).parse({
    patient_details: {
      first_name: "Test",
      last_name: `T${name}`,
      dob: "1980-01-01",
      gender: "female",
      phone_number: "+16025550100",
      email: "test@example.com",
    },
    patient_address: { first_line: "1 Test Street", city: "Phoenix", state: "AZ", zip: "85004", country: "US" },
  });
  return { patient_details, patient_address };
}

/** Finds the user of match tests. The first match test creates the user. */
async function findOrCreateTestUser(requester: OrderRequester, deps: MatchTestOrdersDependencies): Promise<UserRecord> {
  const reservation = await deps.reservations.get(requester.scope, CLIENT_USER_ID);
  const user = reservation && (await deps.users.get(requester.scope, reservation.user_id));
  if (user) return user;
  try {
    return await createUser(requester, { client_user_id: CLIENT_USER_ID }, deps);
  } catch (error) {
    if (!(error instanceof ClientUserIdTaken)) throw error;
    return findOrCreateTestUser(requester, deps);
  }
}

/**
 * Drafts an order of a match test without storing it, for the requested lab test or the walk-in test of the sandbox.
 * Derives its id from run and role, and its instant from the run, so that a repeated run gets the same order.
 */
export async function draftTestOrder(
  requester: OrderRequester,
  test: MatchTest,
  role: string,
  userId: string,
  deps: OrderContextDependencies,
) {
  const lab_test_ids = [test.lab_test_id ?? WALK_IN_TEST_ID];
  const labTest = await resolveLabTest(requester, { lab_test_ids, method: undefined, requested: undefined }, deps);
  const lab = labTest.lab?.slug ?? "";
  const account = await resolveOrderAccount(deps.labAccounts, requester.team, { lab, purpose: "order" });
  const draft = orderDraft.parse({ user_id: userId, ...createPatient(test), lab_test_id: labTest.id });
  const context = createOrderContext(requester.scope, userId, labTest, account);
  const order = newOrder(draft, { ...context, orderId: nameUuid(`${test.run_id} ${role}`) }, test.created_at);
  return { order, placement: toOrderPlacement(draft, order.id, account) };
}

/** Creates an order in the standing of its role. A completed order stays open, since a report completes it later. */
export async function createTestOrder(
  requester: OrderRequester,
  test: MatchTest,
  role: string,
  standing: OrderStanding,
  deps: MatchTestOrdersDependencies,
): Promise<string> {
  const user = await findOrCreateTestUser(requester, deps);
  const { order, placement } = await draftTestOrder(requester, test, role, user.user_id, deps);
  const stood = moveToStanding(order, standing);
  const planned = await planNewOrder({ ...requester, user }, { order: stood, placement }, deps);
  // The condition fails if an earlier attempt has created the order.
  await unlessConditionFailed(writeNewOrder(planned, deps.commit));
  await changeOrder(requester, order.id, deps, ({ requisition }) =>
    requisition === null ? { requisition: requisitionNumber(order.id) } : undefined,
  );
  return order.id;
}

function moveToStanding(order: Order, standing: OrderStanding): Order {
  const at = isoNow();
  if (standing === "not_collected") return order;
  if (standing === "cancelled") return transitionTo(order, "cancelled", at);
  return statusPathToOpen[collectionMethodOf(order.details.type)].reduce(
    (walked, level) => transitionTo(walked, level, at),
    order,
  );
}

/** Wraps an order that is not stored in a record. */
export const toPendingRecord = (order: Order): OrderRecord => ({
  order,
  revision: 0,
  placement_key: null,
  requisition: null,
});
