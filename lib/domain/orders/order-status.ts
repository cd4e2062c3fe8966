/** The high-level statuses of an order, as known today. */
export const orderStages = [
  "received",
  "collecting_sample",
  "sample_with_lab",
  "completed",
  "cancelled",
  "failed",
] as const;

export type Stage = (typeof orderStages)[number];

/** The low-level statuses of an order by collection method and high-level status. */
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

/** The high-level status of an order by collection method and low-level status. @throws RangeError where there is none. */
export function stageOf(method: string, level: string): Stage {
  const stages = Object.entries(statuses[method] ?? {}) as [Stage, readonly string[]][];
  const [stage] = stages.find(([, levels]) => levels.includes(level)) ?? [];
  if (stage === undefined) throw new RangeError(`no status ${level} of ${method}`);
  return stage;
}

/** A status of an order in full. @throws RangeError for one that there is not. */
export const fullStatus = (method: string, level: string): string => `${stageOf(method, level)}.${method}.${level}`;

/** The low-level status within a full one. */
export const levelOf = (status: string): string => status.slice(status.lastIndexOf(".") + 1);

/** Every status of an order in full, `{high level}.{method}.{low level}`, as known today. */
export const orderStatuses: readonly string[] = Object.entries(statuses).flatMap(([method, stages]) =>
  Object.entries(stages).flatMap(([stage, levels]) => levels.map((level) => `${stage}.${method}.${level}`)),
);

/** What a status may say in finer grain, as known today. */
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
