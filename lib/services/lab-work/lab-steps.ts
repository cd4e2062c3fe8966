import type { SimulationPlan } from "../../domain/lab-work/order-task.ts";
import { requisitionNumber, type SubmissionOutcome } from "../../domain/orders/lab-partner.ts";
import { withSampleId } from "../../domain/orders/lifecycle/order-commands.ts";
import {
  canTransitionTo,
  isOrderFinished,
  isReportedStatus,
  reportStatuses,
  transitionTo,
  workflowOf,
} from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { OrderChange } from "../orders/change-order.ts";
import { applyReport } from "../results/apply-report.ts";
import { type SimulateReportDependencies, simulateReport } from "../results/simulate-report.ts";

/** Applies the response of a laboratory to a submission. */
export function applySubmission(
  { order }: OrderRecord,
  requisition: string,
  submission: SubmissionOutcome,
  at: string,
): OrderChange {
  if (isOrderFinished(order)) return {};
  if (submission.outcome === "received") return { requisition };
  if (submission.outcome === "refused") {
    return { order: { ...transitionTo(order, "cancelled", at, "fulfillment_error"), notes: submission.reason } };
  }
  const level = workflowOf(order) === "registrable_testkit" ? "awaiting_registration" : "requisition_created";
  const moved = canTransitionTo(order, level) ? transitionTo(order, level, at) : order;
  return { requisition, order: submission.sample_id === null ? moved : withSampleId(moved, submission.sample_id) };
}

/**
 * Applies a step of a simulated laboratory to an order. A step with results creates a report and applies it like a
 * real one. A kit gets its sample id when it ships.
 * @throws OrderTransitionRefused if the order cannot make this step now.
 */
export async function applySimulatedStep(
  scope: TeamScope,
  record: OrderRecord,
  step: SimulationPlan["steps"][number],
  flags: SimulationPlan["flags"],
  at: string,
  deps: SimulateReportDependencies & { readonly results: ResultStore },
): Promise<OrderChange> {
  const { order } = record;
  if (isReportedStatus(step.level)) {
    const report = await simulateReport(record, reportStatuses[step.level], flags, at, deps);
    return applyReport(scope, record, report, at, deps);
  }
  const moved = transitionTo(order, step.level, at, step.detail);
  const isSent = order.details.type === "testkit" && step.level !== "cancelled";
  return { order: isSent ? withSampleId(moved, requisitionNumber(order.id)) : moved, items: [] };
}
