import type { SimulationPlan } from "../../domain/lab-work/order-task.ts";
import { type FindLabPartner, requisitionNumber } from "../../domain/orders/lab-partner.ts";
import { lastEventBeforeResults } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { toReportedPatient } from "../../domain/results/match-report.ts";
import { testedPersonOf } from "../../domain/results/order-result.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import { loadPlacement } from "../orders/load-placement.ts";
import { listSimulatedMarkers } from "./expected-results.ts";

/** Dependencies of a simulated laboratory. */
export type SimulateReportDependencies = {
  readonly findPartner: FindLabPartner;
  readonly orderPlacements: Pick<Bucket, "get">;
};

/**
 * Creates the report of a simulated laboratory for an order. A repeated call creates the same report, even if the order
 * has its result by then. @param at ISO 8601.
 */
export async function simulateReport(
  { order, placement_key }: OrderRecord,
  status: LabReport["status"],
  flags: SimulationPlan["flags"],
  at: string,
  { findPartner, orderPlacements }: SimulateReportDependencies,
): Promise<LabReport> {
  const lab = order.lab_test.lab?.slug ?? "";
  const partner = findPartner(lab);
  if (!partner?.simulate) throw new Error("the partner of a simulated order cannot simulate reports");
  const requisition = requisitionNumber(order.id);
  const placement = placement_key === null ? undefined : await loadPlacement(orderPlacements, placement_key);
  const patient = toReportedPatient(order);
  const taken = { patient, collected_at: lastEventBeforeResults(order).created_at, reported_at: at };
  const { interpretation, result_types, has_missing_results } = flags;
  return partner.simulate(
    {
      ...taken,
      lab,
      requisition,
      sample_id: order.sample_id ?? requisition,
      account_number: placement?.account_number ?? null,
      person: testedPersonOf(order, taken),
      status,
      markers: await listSimulatedMarkers(order),
    },
    { interpretation, result_types: result_types ?? null, has_missing_results: has_missing_results ?? null },
  );
}
