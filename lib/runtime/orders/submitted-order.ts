import { type PartnerOrder, requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { insuranceOfPlacement, type PayingInsurance } from "../../domain/orders/paying-insurance.ts";
import type { InsuranceStore } from "../../store/insurances.ts";
import type { OrderStore } from "../../store/orders.ts";
import type { PayorStore } from "../../store/payors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { requireOrder } from "../changing-orders.ts";
import { NotFound } from "../errors.ts";
import { listedPayors } from "../payors.ts";
import { loadPlacement } from "./loading-placement.ts";

interface Reads {
  readonly orders: Pick<OrderStore, "get">;
  readonly users: Pick<UserStore, "get">;
}

/**
 * Reads an order that has a document.
 * @param missing returns the reason why an order has no document.
 * @throws NotFound with that reason, or for an unknown order.
 */
export async function documentedOrder(
  scope: TeamScope,
  orderId: string,
  uses: Reads,
  missing: (record: OrderRecord) => string | undefined,
): Promise<OrderRecord> {
  const { record } = await requireOrder(scope, orderId, uses);
  const reason = missing(record);
  if (reason !== undefined) throw new NotFound(reason);
  return record;
}

/** Loads an order as submitted to its laboratory. @throws NotFound for an order that no laboratory receives. */
export async function submittedOrder(
  { order, placement_key }: OrderRecord,
  placements: Pick<Bucket, "load">,
): Promise<PartnerOrder> {
  if (placement_key === null) throw new NotFound("This order is not submitted to a laboratory.");
  const placement = await loadPlacement(placements, placement_key);
  return { order, placement, requisition: requisitionNumber(order.id) };
}

/** Finds the insurance to bill for an order: that of the order, or one of the user. Null if none. */
export async function payingInsurance(
  scope: TeamScope,
  { order, placement }: PartnerOrder,
  { insurances, payors }: { readonly insurances: InsuranceStore; readonly payors: PayorStore },
): Promise<PayingInsurance | null> {
  const code = placement.health_insurance?.payor_code;
  if (code) {
    const listed = (await listedPayors()).find(({ payor_code }) => payor_code === code);
    const payor = listed ?? (await payors.get(scope, code));
    return insuranceOfPlacement(order, placement, payor?.name);
  }
  if (order.health_insurance_id === null) return null;
  return (await insurances.find(scope, order.user_id, order.health_insurance_id)) ?? null;
}
