import { nameUuid } from "../../crypto/name-uuid.ts";
import type { MatchTest } from "../../domain/match-reviews/match-test.ts";
import { levelsToOpen } from "../../domain/match-reviews/match-test-cases.ts";
import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import { newOrder } from "../../domain/orders/new-order.ts";
import { type OrderDraft, orderDraft } from "../../domain/orders/order-draft.ts";
import { moveTo, type Order } from "../../domain/orders/order-move.ts";
import { placementOf } from "../../domain/orders/order-placement.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { methodOf } from "../../domain/orders/order-states.ts";
import type { Standing } from "../../domain/results/match-report.ts";
import type { UserRecord } from "../../domain/user.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { ReservationStore } from "../../store/reservations.ts";
import type { UserStore } from "../../store/users.ts";
import { changeOrder } from "../changing-orders.ts";
import { ClientUserIdTaken } from "../errors.ts";
import { type NewOrderUses, planNewOrder, writeNewOrder } from "../new-order-items.ts";
import { accountForOrder } from "../order-account.ts";
import { groundOf, type LabTestUses, labTestOf, type Placer } from "../order-ground.ts";
import { isoNow } from "../ports.ts";
import { type CreatingUses, createUserOf } from "../users/creating-users.ts";

/** Dependencies of creating the orders of a match test. */
export interface TestOrderUses extends NewOrderUses, LabTestUses, CreatingUses {
  readonly users: UserStore;
  readonly reservations: ReservationStore;
}

/** Client user id of the user for all match test orders of a team. */
const CLIENT_USER_ID = "unmatched-result-tests";
/** The predefined walk-in lab test of a sandbox. */
const WALK_IN = "00000000-0000-4000-9000-000000000002";
const LETTERS = "abcdefghijklmnop";

/** Creates the patient of a match test. A unique name keeps orders of other match tests from matching. */
function patientOf({ run_id }: MatchTest): Pick<OrderDraft, "patient_details" | "patient_address"> {
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
async function testUser(placer: Placer, uses: TestOrderUses): Promise<UserRecord> {
  const reservation = await uses.reservations.get(placer.scope, CLIENT_USER_ID);
  const user = reservation && (await uses.users.get(placer.scope, reservation.user_id));
  if (user) return user;
  try {
    return await createUserOf(placer, { client_user_id: CLIENT_USER_ID }, uses);
  } catch (error) {
    if (!(error instanceof ClientUserIdTaken)) throw error;
    return testUser(placer, uses);
  }
}

/**
 * Drafts an order of a match test without storing it, for the requested lab test or the walk-in test of the sandbox.
 * Derives its id from run and role, so that a repeated run gets the same order.
 */
export async function draftTestOrder(placer: Placer, test: MatchTest, role: string, userId: string, uses: LabTestUses) {
  const lab_test_ids = [test.lab_test_id ?? WALK_IN];
  const labTest = await labTestOf(placer, { lab_test_ids, method: undefined, requested: undefined }, uses);
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, placer.team, { lab, purpose: "order" });
  const draft = orderDraft.parse({ user_id: userId, ...patientOf(test), lab_test_id: labTest.id });
  const ground = groundOf(placer.scope, userId, labTest, account);
  const order = newOrder(draft, { ...ground, orderId: nameUuid(`${test.run_id} ${role}`) }, isoNow());
  return { order, placement: placementOf(draft, order.id, account) };
}

/** Creates an order in the standing of its role. A completed order stays open, since a report completes it later. */
export async function makeTestOrder(
  placer: Placer,
  test: MatchTest,
  role: string,
  standing: Standing,
  uses: TestOrderUses,
): Promise<string> {
  const user = await testUser(placer, uses);
  const { order, placement } = await draftTestOrder(placer, test, role, user.user_id, uses);
  const stood = standAs(order, standing);
  const planned = await planNewOrder({ ...placer, user }, { order: stood, placement }, uses);
  await writeNewOrder(planned, uses.commit).catch((error) => {
    // An earlier attempt has created the order.
    if (!(error instanceof ConditionFailed)) throw error;
  });
  await changeOrder(placer, order.id, uses, ({ requisition }) =>
    requisition === null ? { requisition: requisitionNumber(order.id) } : undefined,
  );
  return order.id;
}

function standAs(order: Order, standing: Standing): Order {
  const at = isoNow();
  if (standing === "not_collected") return order;
  if (standing === "cancelled") return moveTo(order, "cancelled", at);
  return levelsToOpen[methodOf(order.details.type)].reduce((walked, level) => moveTo(walked, level, at), order);
}

/** Wraps an order that is not stored in a record. */
export const unwritten = (order: Order): OrderRecord => ({
  order,
  revision: 0,
  placement_key: null,
  requisition: null,
});
