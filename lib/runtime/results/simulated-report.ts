import { type FindPartner, requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { Walk } from "../../domain/orders/order-work.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { reportedPatient } from "../../domain/results/match-report.ts";
import { personOf } from "../../domain/results/order-result.ts";
import type { Bucket } from "../bucket.ts";
import { loadPlacement } from "../orders/loading-placement.ts";
import { simulatedMarkers } from "./ordered-results.ts";

/** Dependencies of a simulated laboratory. */
export interface SimulatorUses {
  readonly findPartner: FindPartner;
  readonly orderPlacements: Pick<Bucket, "load">;
}

/** Creates the report of a simulated laboratory for an order. @param at ISO 8601. */
export async function simulatedReport(
  { order, placement_key }: OrderRecord,
  status: LabReport["status"],
  flags: Walk["flags"],
  at: string,
  { findPartner, orderPlacements }: SimulatorUses,
): Promise<LabReport> {
  const lab = order.lab_test.lab?.slug ?? "";
  const partner = findPartner(lab);
  if (!partner?.simulate) throw new Error("the partner of a simulated order cannot simulate reports");
  const requisition = requisitionNumber(order.id);
  const placement = placement_key === null ? undefined : await loadPlacement(orderPlacements, placement_key);
  const patient = reportedPatient(order);
  const taken = { patient, collected_at: order.last_event.created_at, reported_at: at };
  const { interpretation, result_types, has_missing_results } = flags;
  return partner.simulate(
    {
      ...taken,
      lab,
      requisition,
      sample_id: order.sample_id ?? requisition,
      account_number: placement?.account_number ?? null,
      person: personOf(order, taken),
      status,
      markers: await simulatedMarkers(order),
    },
    { interpretation, result_types: result_types ?? null, has_missing_results: has_missing_results ?? null },
  );
}
