import { followResults } from "../domain/orders/following.ts";
import { requisitionNumber, type Submission } from "../domain/orders/lab-partner.ts";
import { withSampleId } from "../domain/orders/order-commands.ts";
import { canMoveTo, isOrderOver, moveTo, type Order, type StatusDetail, wayOf } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { Walk } from "../domain/orders/order-work.ts";
import type { OrderChange } from "./changing-orders.ts";

/** What an order becomes once a laboratory has answered its submission. */
export function afterSubmission(
  { order }: OrderRecord,
  requisition: string,
  submission: Submission,
  at: string,
): OrderChange {
  if (isOrderOver(order)) return {};
  if (submission.outcome === "received") return { requisition };
  if (submission.outcome === "refused") {
    return { order: { ...moveTo(order, "cancelled", at, "fulfillment_error"), notes: submission.reason } };
  }
  const level = wayOf(order) === "registrable_testkit" ? "awaiting_registration" : "requisition_created";
  const moved = canMoveTo(order, level) ? moveTo(order, level, at) : order;
  return { requisition, order: submission.sample_id === null ? moved : withSampleId(moved, submission.sample_id) };
}

/** The statuses that tell of results. */
const resultStatuses: Readonly<Record<string, "partial" | "final" | "corrected">> = {
  partial_results: "partial",
  completed: "final",
  corrected: "corrected",
};

/**
 * An order after a step of a simulated laboratory: one that tells of results says how they are to be read, and a kit
 * gets the number of its sample as it leaves.
 * @throws OrderMoveRefused where the order does not make this step now.
 */
export function afterStep(order: Order, step: Walk["steps"][number], flags: Walk["flags"], at: string): Order {
  const status = resultStatuses[step.level];
  const { interpretation, has_missing_results } = flags;
  const news = { interpretation, hasMissingResults: has_missing_results ?? false };
  const moved = status
    ? followResults(order, { status, ...news }, at)
    : moveTo(order, step.level, at, step.detail as StatusDetail | null);
  return order.details.type === "testkit" && step.level !== "cancelled"
    ? withSampleId(moved, requisitionNumber(order.id))
    : moved;
}
