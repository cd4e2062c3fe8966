import type { Team } from "../domain/identity.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import type { OrderGround } from "../domain/orders/new-order.ts";
import type { OrderDraft } from "../domain/orders/order-draft.ts";
import type { Order } from "../domain/orders/order-move.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import type { LabTestStore } from "../store/lab-tests.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { ValidationFailed } from "./errors.ts";
import { labOfAccount } from "./lab-accounts.ts";
import { orderedLabTest } from "./ordered-lab-test.ts";
import { ports } from "./ports.ts";

/** The team that places an order. */
export interface Placer {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** Stores of lab tests and lab accounts. */
export interface LabTestUses {
  readonly labTests: LabTestStore;
  readonly labAccounts: LabAccountStore;
}

interface WantedTest {
  readonly lab_test_ids?: string[] | null | undefined;
  readonly add_on?: NonNullable<OrderDraft["order_set"]>["add_on"];
  readonly method: string | null | undefined;
  readonly requested: string | null | undefined;
}

/** Resolves the lab test of an order, at the lab of the requested account. @throws NotFound, ValidationFailed. */
export async function labTestOf(
  { scope, team }: Placer,
  { requested, ...set }: WantedTest,
  { labTests, labAccounts }: LabTestUses,
): Promise<Order["lab_test"]> {
  const accountLab = await labOfAccount(labAccounts, team, requested);
  if (accountLab === null) throw ValidationFailed.at(["body", "lab_account_id"], "The lab account is suspended");
  return orderedLabTest(labTests, scope, { ...set, accountLab });
}

/** Creates the context of a new order, with new ids. */
export function groundOf(
  { teamId }: TeamScope,
  userId: string,
  labTest: Order["lab_test"],
  account: LabAccount,
): OrderGround {
  const uuid = () => ports().ids.uuid();
  return {
    ...{ orderId: uuid(), transactionId: uuid(), collectionId: uuid(), shipmentId: uuid() },
    ...{ teamId, userId, labTest, defaultNotes: account.default_clinical_notes, healthInsuranceId: null },
  };
}
