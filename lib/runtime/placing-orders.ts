import type { UserInfo } from "../domain/demographics/user-info.ts";
import type { Insurance } from "../domain/insurance/insurance.ts";
import { refusedOrder, refusedOrderSet } from "../domain/orders/check-order.ts";
import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { newOrder } from "../domain/orders/new-order.ts";
import type { OrderDraft } from "../domain/orders/order-draft.ts";
import { placementOf } from "../domain/orders/order-placement.ts";
import type { InsuranceStore } from "../store/insurances.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { PhysicianStore } from "../store/physicians.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserInfoStore } from "../store/user-infos.ts";
import { NotPossible, UserNotFound } from "./errors.ts";
import { refuse } from "./lab-catalogue.ts";
import { type NewOrderUses, type PlannedOrder, planNewOrder, withSubmission } from "./new-order-items.ts";
import { accountForOrder } from "./order-account.ts";
import { groundOf, type LabTestUses, labTestOf, type Placer } from "./order-ground.ts";
import { isoNow, ports } from "./ports.ts";

/** Dependencies of planning an order. */
export interface PlacingUses extends NewOrderUses, LabTestUses {
  readonly orderWork: OrderWorkStore;
  readonly userInfos: UserInfoStore;
  readonly insurances: InsuranceStore;
  readonly physicians: Pick<PhysicianStore, "note">;
  readonly findPartner: FindPartner;
}

/**
 * Plans the order that a team places.
 * @throws UserNotFound, NotFound, NotPossible, ValidationFailed for an order that cannot be placed.
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
  if (order.physician) await uses.physicians.note(scope, order.physician);
  const planned = await planNewOrder({ ...placer, user }, { order, placement }, uses);
  return withSubmission(scope, planned, uses.orderWork);
}

/** Completes patient fields that an order leaves out with those of the user info. */
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

/** Finds the insurance to bill: that of the order, or else the newest primary insurance of the user. */
async function insuranceOf(
  { billing_type, health_insurance, user_id }: OrderDraft,
  scope: TeamScope,
  { insurances }: Pick<PlacingUses, "insurances">,
): Promise<Pick<Insurance, "id"> | undefined> {
  if (health_insurance) return { id: ports().ids.uuid() };
  return billing_type === "commercial_insurance" ? insurances.latest(scope, user_id, true) : undefined;
}
