/** Known high-level statuses of an order. */
export const orderStages = [
  "received",
  "collecting_sample",
  "sample_with_lab",
  "completed",
  "cancelled",
  "failed",
] as const;

export type Stage = (typeof orderStages)[number];

/** Low-level statuses by collection method and high-level status. */
const statuses: Readonly<Record<string, Readonly<Partial<Record<Stage, readonly string[]>>>>> = {
  walk_in_test: {
    received: ["ordered", "requisition_created", "requisition_bypassed"],
    collecting_sample: ["appointment_pending", "appointment_scheduled", "appointment_cancelled", "redraw_available"],
    sample_with_lab: ["partial_results"],
    completed: ["completed", "corrected"],
    cancelled: ["cancelled"],
    failed: ["sample_error"],
  },
  at_home_phlebotomy: {
    received: ["ordered", "requisition_created", "requisition_bypassed"],
    collecting_sample: ["appointment_pending", "appointment_scheduled", "draw_completed", "appointment_cancelled"],
    sample_with_lab: ["partial_results"],
    completed: ["completed", "corrected"],
    cancelled: ["cancelled"],
    failed: ["sample_error"],
  },
  testkit: {
    received: ["ordered", "awaiting_registration", "requisition_created", "requisition_bypassed", "registered"],
    collecting_sample: [
      "transit_customer",
      "out_for_delivery",
      "with_customer",
      "transit_lab",
      "problem_in_transit_customer",
      "problem_in_transit_lab",
    ],
    sample_with_lab: ["delivered_to_lab", "lab_processing_blocked"],
    completed: ["completed", "corrected"],
    cancelled: ["cancelled", "do_not_process"],
    failed: ["failure_to_deliver_to_customer", "failure_to_deliver_to_lab", "sample_error", "lost"],
  },
  on_site_collection: {
    received: ["ordered", "requisition_created", "requisition_bypassed"],
    sample_with_lab: ["draw_completed", "partial_results"],
    completed: ["completed", "corrected"],
    cancelled: ["cancelled"],
    failed: ["sample_error"],
  },
};

/** High-level status for a collection method and low-level status. @throws RangeError for an unknown combination. */
export function stageOf(method: string, level: string): Stage {
  const stages = Object.entries(statuses[method] ?? {}) as [Stage, readonly string[]][];
  const [stage] = stages.find(([, levels]) => levels.includes(level)) ?? [];
  if (stage === undefined) throw new RangeError(`no status ${level} of ${method}`);
  return stage;
}

/** Full status, `{high level}.{method}.{low level}`. @throws RangeError for an unknown combination. */
export const fullStatus = (method: string, level: string): string => `${stageOf(method, level)}.${method}.${level}`;

/** Low-level part of a full status. */
export const levelOf = (status: string): string => status.slice(status.lastIndexOf(".") + 1);

/** Known full statuses, `{high level}.{method}.{low level}`. */
export const orderStatuses: readonly string[] = Object.entries(statuses).flatMap(([method, stages]) =>
  Object.entries(stages).flatMap(([stage, levels]) => levels.map((level) => `${stage}.${method}.${level}`)),
);

/** Known details of low-level statuses. */
export const orderStatusDetails = [
  "fulfillment_error",
  "date_of_collection_unspecified",
  "demographic_information_unspecified",
  "demographic_information_mismatch",
  "sample_quantity_not_sufficient",
  "sample_contaminated",
  "sample_stability_exceeded",
  "sample_hemolyzed",
  "sample_improper_collection",
] as const;
