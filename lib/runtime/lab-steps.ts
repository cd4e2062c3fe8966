import { requisitionNumber, type Submission } from "../domain/orders/lab-partner.ts";
import { withSampleId } from "../domain/orders/order-commands.ts";
import { canMoveTo, isOrderOver, moveTo, type StatusDetail, wayOf } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { Walk } from "../domain/orders/order-work.ts";
import type { ResultStore } from "../store/results/results.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { OrderChange } from "./changing-orders.ts";
import { afterReport, type ResultChange } from "./results/result-change.ts";
import { type SimulatorUses, simulatedReport } from "./results/simulated-report.ts";

/** Applies the response of a laboratory to a submission. */
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

/** Low-level statuses that carry results, with the status of their report. */
const resultStatuses: Readonly<Record<string, "partial" | "final" | "corrected">> = {
  partial_results: "partial",
  completed: "final",
  corrected: "corrected",
};

/**
 * Applies a step of a simulated laboratory to an order. A step with results creates a report and applies it like a
 * real one. A kit gets its sample id when it ships.
 * @throws OrderMoveRefused if the order cannot make this step now.
 */
export async function afterStep(
  scope: TeamScope,
  record: OrderRecord,
  step: Walk["steps"][number],
  flags: Walk["flags"],
  at: string,
  uses: SimulatorUses & { readonly results: ResultStore },
): Promise<ResultChange> {
  const { order } = record;
  const status = resultStatuses[step.level];
  if (status) {
    const report = await simulatedReport(record, status, flags, at, uses);
    return afterReport(scope, record, report, at, uses);
  }
  const moved = moveTo(order, step.level, at, step.detail as StatusDetail | null);
  const isSent = order.details.type === "testkit" && step.level !== "cancelled";
  return { order: isSent ? withSampleId(moved, requisitionNumber(order.id)) : moved, items: [] };
}
