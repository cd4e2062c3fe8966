import { currentLevel, isImported } from "./order-move.ts";
import type { OrderRecord } from "./order-record.ts";
import { levelOf } from "./order-status.ts";

/** Why an order has no requisition; undefined where it has one. */
export function requisitionMissing({ order, placement_key, requisition }: OrderRecord): string | undefined {
  const levels = order.events.map(({ status }) => levelOf(status));
  if (isImported(order) || placement_key === null) {
    return "An imported order has no requisition here: it was placed elsewhere.";
  }
  if (order.patient_details === null) return "The kit has no requisition yet: nobody has registered it.";
  // A simulation may go ahead of the day on which its order is submitted.
  const isMade = requisition !== null || levels.includes("requisition_created");
  if (isMade) return undefined;
  return currentLevel(order) === "cancelled"
    ? "The order was cancelled before it had a requisition."
    : "The order has no requisition yet: no laboratory has been told of it.";
}

/** Why an order has no labels: nobody to name on them, or no number. Undefined where it has some. */
export function labelsMissing(record: OrderRecord): string | undefined {
  if (record.order.patient_details === null) return "The kit has no labels yet: nobody has registered it.";
  const missing = requisitionMissing(record);
  return missing && record.order.sample_id === null ? "The order has no labels yet: it has no number." : undefined;
}

/** Why an order has no advance notice. @param isSandbox there each order has one, so that it can be looked at. */
export function noticeMissing(record: OrderRecord, isSandbox: boolean): string | undefined {
  return record.order.has_abn || isSandbox ? requisitionMissing(record) : "The order needs no advance notice (ABN).";
}
