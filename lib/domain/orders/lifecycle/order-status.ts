import type { CollectionMethod } from "../../lab-tests/wire-lab-test.ts";

/** Known high-level statuses of an order. */
export const highLevelStatuses = [
  "received",
  "collecting_sample",
  "sample_with_lab",
  "completed",
  "cancelled",
  "failed",
] as const;

export type HighLevelStatus = (typeof highLevelStatuses)[number];

/** Known low-level statuses of an order. */
export const lowLevelStatuses = [
  "ordered",
  "requisition_created",
  "requisition_bypassed",
  "appointment_pending",
  "appointment_scheduled",
  "appointment_cancelled",
  "redraw_available",
  "partial_results",
  "completed",
  "corrected",
  "cancelled",
  "sample_error",
  "draw_completed",
  "awaiting_registration",
  "registered",
  "transit_customer",
  "out_for_delivery",
  "with_customer",
  "transit_lab",
  "problem_in_transit_customer",
  "problem_in_transit_lab",
  "delivered_to_lab",
  "lab_processing_blocked",
  "do_not_process",
  "failure_to_deliver_to_customer",
  "failure_to_deliver_to_lab",
  "lost",
] as const;
export type LowLevelStatus = (typeof lowLevelStatuses)[number];

/** Low-level statuses of a collection method, by high-level status. */
type StatusesByStage = Readonly<Partial<Record<HighLevelStatus, readonly LowLevelStatus[]>>>;

/** Low-level statuses by collection method and high-level status. */
const statusTable = {
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
} as const satisfies Record<CollectionMethod, StatusesByStage>;

type StatusTable = typeof statusTable;
type Items<List> = List extends readonly (infer Item extends string)[] ? Item : never;

/** Low-level statuses of a collection method. */
export type LowLevelStatusOf<Method extends CollectionMethod> = Items<StatusTable[Method][keyof StatusTable[Method]]>;

/** Full statuses of a collection method. */
type OrderStatusOf<Method extends CollectionMethod> = {
  [Stage in keyof StatusTable[Method]]: `${Stage & string}.${Method}.${Items<StatusTable[Method][Stage]>}`;
}[keyof StatusTable[Method]];

/** Full status of an order, `{high level}.{method}.{low level}`. */
export type OrderStatus = { [Method in CollectionMethod]: OrderStatusOf<Method> }[CollectionMethod];

// `Object.entries` returns the keys of an object as strings, so its results are cast to the keys of the table.
const stagesOf = (method: CollectionMethod) =>
  Object.entries(statusTable[method]) as [HighLevelStatus, readonly LowLevelStatus[]][];

/** High-level status for a collection method and low-level status. @throws RangeError for an unknown combination. */
export function highLevelStatusOf(method: CollectionMethod, level: LowLevelStatus): HighLevelStatus {
  const [stage] = stagesOf(method).find(([, levels]) => levels.includes(level)) ?? [];
  if (stage === undefined) throw new RangeError(`no status ${level} of ${method}`);
  return stage;
}

/** Full status for a collection method and low-level status. @throws RangeError for an unknown combination. */
export const fullStatusOf = (method: CollectionMethod, level: LowLevelStatus): OrderStatus =>
  // The table has the combination, because `highLevelStatusOf` found it.
  `${highLevelStatusOf(method, level)}.${method}.${level}` as OrderStatus;

/** Low-level part of a full status. */
export const lowLevelStatusOf = (status: OrderStatus): LowLevelStatus =>
  status.slice(status.lastIndexOf(".") + 1) as LowLevelStatus;

/** High-level part of a full status. */
export const highLevelPartOf = (status: OrderStatus): HighLevelStatus =>
  status.slice(0, status.indexOf(".")) as HighLevelStatus;

/** Known full statuses. */
export const orderStatuses: readonly OrderStatus[] = (Object.keys(statusTable) as CollectionMethod[]).flatMap(
  (method) => stagesOf(method).flatMap(([, levels]) => levels.map((level) => fullStatusOf(method, level))),
);

/** Whether a text of a request is a known full status. */
export const isOrderStatus = (text: string): text is OrderStatus => (orderStatuses as readonly string[]).includes(text);

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
/** Detail of a low-level status. */
export type StatusDetail = (typeof orderStatusDetails)[number];

/** Known origins of an order within its transaction. */
export const orderOrigins = ["initial", "redraw", "recreation"] as const;
export type OrderOrigin = (typeof orderOrigins)[number];

/** Known statuses of an order transaction. */
export const transactionStatuses = ["active", "completed", "cancelled"] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];
