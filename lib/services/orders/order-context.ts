import { getItem, queryItems } from "../../contract/access.ts";
import { labAccounts, labTests } from "../../contract/resources.ts";
import type { LabAccount } from "../../domain/lab-tests/lab-account.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderContext } from "../../domain/orders/placement/new-order.ts";
import type { OrderDraft } from "../../domain/orders/placement/order-draft.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { resolveAccountLab } from "../lab-tests/lab-accounts.ts";
import { findOrCreateLabTest } from "./find-or-create-lab-test.ts";

/** The team that places an order. */
export interface OrderRequester {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** Stores of lab tests and lab accounts. */
export type OrderContextDependencies = Dependencies<"labTests" | "labAccounts">;

/** Grants to resolve a lab test and a lab account. A set of several lab tests also needs a grant to put a lab test. */
export const orderContextAccess = [getItem(labTests), queryItems(labAccounts)] as const;

interface RequestedTest {
  readonly lab_test_ids?: string[] | null | undefined;
  readonly add_on?: NonNullable<OrderDraft["order_set"]>["add_on"];
  readonly method: string | null | undefined;
  readonly requested: string | null | undefined;
}

/** Resolves the lab test of an order, at the lab of the requested account. @throws NotFound, ValidationFailed. */
export async function resolveLabTest(
  { scope, team }: OrderRequester,
  { requested, ...set }: RequestedTest,
  { labTests, labAccounts }: OrderContextDependencies,
): Promise<Order["lab_test"]> {
  const accountLab = await resolveAccountLab(labAccounts, team, requested);
  if (accountLab === null) throw ValidationFailed.at(["body", "lab_account_id"], "The lab account is suspended");
  return findOrCreateLabTest(labTests, scope, { ...set, accountLab });
}

/** Creates the context of a new order, with new ids. */
export function createOrderContext(
  { teamId }: TeamScope,
  userId: string,
  labTest: Order["lab_test"],
  account: LabAccount,
): OrderContext {
  const uuid = () => ports().ids.uuid();
  return {
    ...{ orderId: uuid(), transactionId: uuid(), collectionId: uuid(), shipmentId: uuid() },
    ...{ teamId, userId, labTest, defaultNotes: account.default_clinical_notes, healthInsuranceId: null },
  };
}
