import type { UserInfo } from "../domain/demographics/user-info.ts";
import type { Team } from "../domain/identity.ts";
import type { Insurance } from "../domain/insurance/insurance.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import { refusedOrder, refusedOrderSet } from "../domain/orders/check-order.ts";
import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { importedOrder, newOrder, type OrderGround } from "../domain/orders/new-order.ts";
import type { ImportDraft, OrderDraft } from "../domain/orders/order-draft.ts";
import type { Order } from "../domain/orders/order-move.ts";
import { placementOf } from "../domain/orders/order-placement.ts";
import type { InsuranceStore } from "../store/insurances.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import type { LabTestStore } from "../store/lab-tests.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserInfoStore } from "../store/user-infos.ts";
import { NotPossible, UserNotFound, ValidationFailed } from "./errors.ts";
import { labOfAccount } from "./lab-accounts.ts";
import { refuse } from "./lab-catalogue.ts";
import { type NewOrderUses, type PlannedOrder, planNewOrder } from "./new-order-items.ts";
import { accountForOrder } from "./order-account.ts";
import { orderedLabTest } from "./ordered-lab-test.ts";
import { isoNow, ports } from "./ports.ts";

/** Who places an order. */
export interface Placer {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** What planning an order looks at. */
export interface PlacingUses extends NewOrderUses {
  readonly labTests: LabTestStore;
  readonly labAccounts: LabAccountStore;
  readonly userInfos: UserInfoStore;
  readonly insurances: InsuranceStore;
  readonly findPartner: FindPartner;
}

/**
 * An order as a team places it, ready to be written.
 * @throws UserNotFound, NotFound, NotPossible, ValidationFailed for what can not be ordered.
 */
export async function planOrder(placer: Placer, given: OrderDraft, uses: PlacingUses): Promise<PlannedOrder> {
  const { scope, team } = placer;
  const user = await uses.users.get(scope, given.user_id);
  if (!user) throw new UserNotFound();
  const problems = refusedOrderSet(given);
  if (problems.length > 0) throw refuse(problems);
  const requested = given.lab_account_id ?? given.order_set?.lab_account_id;
  const set = given.order_set ?? { lab_test_ids: [given.lab_test_id ?? ""] };
  const labTest = await labTestOf(placer, { ...set, method: given.collection_method, requested }, uses);
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "order", requested });
  if (!uses.findPartner(lab)) throw new NotPossible(`This deployment is not connected to the laboratory ${lab}.`);
  const draft = withUserInfo(given, await uses.userInfos.get(scope, given.user_id));
  const insurance = await insuranceOf(draft, scope, uses);
  const at = isoNow();
  const today = at.slice(0, 10);
  const allowsMinors = team.settings.minor_ordering_enabled;
  const refused = refusedOrder(draft, { labTest, account, today, allowsMinors, hasInsurance: insurance !== undefined });
  if (refused.length > 0) throw refuse(refused);
  const ground = { ...groundOf(scope, given.user_id, labTest, account), healthInsuranceId: insurance?.id ?? null };
  const order = newOrder(draft, ground, at);
  const placement = placementOf(draft, order.id, account);
  const isLater = order.activate_by !== null && order.activate_by > today;
  const submitAt = isLater ? `${order.activate_by}T00:00:00.000Z` : at;
  return planNewOrder({ ...placer, user }, { order, placement, submitAt }, uses);
}

/** An order that was placed elsewhere, ready to be written; no laboratory is told of it. */
export async function planImport(
  placer: Placer,
  draft: ImportDraft,
  uses: Omit<PlacingUses, "userInfos" | "insurances" | "findPartner">,
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
    throw ValidationFailed.at(["body", "collection_method"], "Not how the sample of this lab test is taken");
  }
  const lab = labTest.lab?.slug ?? "";
  const account = await accountForOrder(uses.labAccounts, team, { lab, purpose: "import", requested });
  const order = importedOrder(draft, groundOf(scope, draft.user_id, labTest, account), isoNow());
  const placement = placementOf(draft, order.id, account);
  return planNewOrder({ ...placer, user }, { order, placement, submitAt: undefined }, uses);
}

interface WantedTest {
  readonly lab_test_ids?: string[] | null | undefined;
  readonly add_on?: NonNullable<OrderDraft["order_set"]>["add_on"];
  readonly method: string | null | undefined;
  readonly requested: string | null | undefined;
}

/** The lab test of an order, at the lab of the account that was asked for. */
async function labTestOf(
  { scope, team }: Placer,
  { requested, ...set }: WantedTest,
  { labTests, labAccounts }: Pick<PlacingUses, "labTests" | "labAccounts">,
): Promise<Order["lab_test"]> {
  const accountLab = await labOfAccount(labAccounts, team, requested);
  if (accountLab === null) throw ValidationFailed.at(["body", "lab_account_id"], "The lab account is suspended");
  return orderedLabTest(labTests, scope, { ...set, accountLab });
}

/** What a new order is given. */
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

/** An order that leaves out what is known of its user has it from there (spec, User info). */
function withUserInfo(draft: OrderDraft, info: UserInfo | undefined): OrderDraft {
  if (!info) return draft;
  const { patient_details: patient, patient_address: address } = draft;
  return {
    ...draft,
    patient_details: {
      ...patient,
      race: patient.race ?? info.race,
      ethnicity: patient.ethnicity ?? info.ethnicity,
      sexual_orientation: patient.sexual_orientation ?? info.sexual_orientation,
      gender_identity: patient.gender_identity ?? info.gender_identity,
      medical_proxy: patient.medical_proxy ?? (info.medical_proxy as typeof patient.medical_proxy),
    },
    patient_address: { ...address, access_notes: address.access_notes ?? info.address.access_notes },
  };
}

/** The insurance that pays: the newest primary one of the user, unless one comes with the order. */
async function insuranceOf(
  { billing_type, health_insurance, user_id }: OrderDraft,
  scope: TeamScope,
  { insurances }: Pick<PlacingUses, "insurances">,
): Promise<Pick<Insurance, "id"> | undefined> {
  if (health_insurance) return { id: ports().ids.uuid() };
  return billing_type === "commercial_insurance" ? insurances.latest(scope, user_id, true) : undefined;
}
