import { type PartnerOrder, requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import {
  type BilledInsurance,
  namesInsurance,
  toBilledInsurance,
} from "../../domain/orders/placement/billed-insurance.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { InsuranceStore } from "../../store/insurance/insurances.ts";
import type { PayorStore } from "../../store/insurance/payors.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";
import { loadPayors } from "../insurance/payors.ts";
import { requireOrder } from "./change-order.ts";
import { loadPlacement } from "./load-placement.ts";

interface Reads {
  readonly orders: Pick<OrderStore, "get">;
  readonly users: Pick<UserStore, "get">;
}

/**
 * Reads an order that has a document.
 * @param missing returns the reason why an order has no document.
 * @throws NotFound with that reason, or for an unknown order.
 */
export async function requireDocumentedOrder(
  scope: TeamScope,
  orderId: string,
  deps: Reads,
  missing: (record: OrderRecord) => string | undefined,
): Promise<OrderRecord> {
  const { record } = await requireOrder(scope, orderId, deps);
  const reason = missing(record);
  if (reason !== undefined) throw new NotFound(reason);
  return record;
}

/** Loads an order as submitted to its laboratory. @throws NotFound for an order that no laboratory receives. */
export async function loadSubmittedOrder(
  { order, placement_key }: OrderRecord,
  placements: Pick<Bucket, "get">,
): Promise<PartnerOrder> {
  if (placement_key === null) throw new NotFound("This order is not submitted to a laboratory.");
  const placement = await loadPlacement(placements, placement_key);
  return { order, placement, requisition: requisitionNumber(order.id) };
}

/** Finds the insurance to bill for an order: that of the order, or one of the user. Null if none. */
export async function findPayingInsurance(
  scope: TeamScope,
  { order, placement }: PartnerOrder,
  { insurances, payors }: { readonly insurances: InsuranceStore; readonly payors: PayorStore },
): Promise<BilledInsurance | null> {
  const { health_insurance: given } = placement;
  if (namesInsurance(given)) {
    const listed = (await loadPayors()).find(({ payor_code }) => payor_code === given.payor_code);
    const payor = listed ?? (await payors.get(scope, given.payor_code));
    return toBilledInsurance(order, given, payor?.name);
  }
  if (order.health_insurance_id === null) return null;
  return (await insurances.findById(scope, order.user_id, order.health_insurance_id)) ?? null;
}
