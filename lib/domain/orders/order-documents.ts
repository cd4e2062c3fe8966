import { lowLevelStatusOf } from "./lifecycle/order-status.ts";
import { isImported, lowLevelStatus } from "./lifecycle/order-transitions.ts";
import type { OrderRecord } from "./order-record.ts";

/** Reason why an order has no requisition; undefined if it has one. */
export function missingRequisitionReason({ order, placement_key, requisition }: OrderRecord): string | undefined {
  const levels = order.events.map(({ status }) => lowLevelStatusOf(status));
  if (isImported(order) || placement_key === null) {
    return "An imported order has no requisition: it was placed elsewhere.";
  }
  if (order.patient_details === null) return "The kit has no requisition yet: it is not registered.";
  // A simulation may reach this status before the dispatch date of its order.
  const isMade = requisition !== null || levels.includes("requisition_created");
  if (isMade) return undefined;
  return lowLevelStatus(order) === "cancelled"
    ? "The order was cancelled before it had a requisition."
    : "The order has no requisition yet: it was not submitted to a laboratory.";
}

/**
 * Reason why an order has no labels: no patient, or neither a requisition nor a sample id. Undefined if it has labels.
 */
export function missingLabelsReason(record: OrderRecord): string | undefined {
  if (record.order.patient_details === null) return "The kit has no labels yet: it is not registered.";
  const missing = missingRequisitionReason(record);
  return missing && record.order.sample_id === null
    ? "The order has no labels yet: it has no requisition or sample ID."
    : undefined;
}

/**
 * Reason why an order has no Advance Beneficiary Notice (ABN); undefined if it has one.
 * @param isSandbox in a sandbox every order has an ABN, so that teams can view the document.
 */
export function missingAbnReason(record: OrderRecord, isSandbox: boolean): string | undefined {
  return record.order.has_abn || isSandbox
    ? missingRequisitionReason(record)
    : "The order needs no Advance Beneficiary Notice (ABN).";
}
