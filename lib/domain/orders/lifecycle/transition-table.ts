import type { CollectionMethod } from "../../lab-tests/wire-lab-test.ts";
import type { LowLevelStatus, LowLevelStatusOf } from "./order-status.ts";

/**
 * Workflows of orders: the four collection methods, and the registrable test kit, which ships before its patient is
 * known and is registered after delivery.
 */
export const orderWorkflows = [
  "walk_in_test",
  "at_home_phlebotomy",
  "on_site_collection",
  "testkit",
  "registrable_testkit",
] as const satisfies readonly (CollectionMethod | "registrable_testkit")[];
export type OrderWorkflow = (typeof orderWorkflows)[number];

/** `drawn`: an arrow of the published state diagrams. `inferred`: the status is published, the transition is not. */
export type TransitionSource = "drawn" | "inferred";

/** Allowed transition between two low-level statuses. */
export interface OrderTransition {
  readonly from: LowLevelStatus;
  readonly to: LowLevelStatus;
  readonly source: TransitionSource;
}

/** Low-level statuses that may follow a status. */
type NextStatuses<Level extends LowLevelStatus> = { readonly [Source in TransitionSource]?: readonly Level[] };

/** Low-level statuses that may follow each status; a status without an entry is final. */
type TransitionTable<Level extends LowLevelStatus> = { readonly [From in Level]?: NextStatuses<Level> };

type KitStatus = LowLevelStatusOf<"testkit">;

const ordered = {
  drawn: ["requisition_created", "cancelled"],
  inferred: ["requisition_bypassed"],
} satisfies NextStatuses<LowLevelStatus>;

const corrected = {
  completed: { inferred: ["corrected"] },
  corrected: { inferred: ["corrected"] },
} satisfies TransitionTable<LowLevelStatus>;

const walkIn: TransitionTable<LowLevelStatusOf<"walk_in_test">> = {
  ordered,
  requisition_created: {
    drawn: ["appointment_pending", "partial_results", "cancelled"],
    inferred: ["completed", "sample_error"],
  },
  requisition_bypassed: {
    inferred: ["appointment_pending", "partial_results", "completed", "sample_error", "cancelled"],
  },
  appointment_pending: {
    drawn: ["appointment_scheduled"],
    inferred: ["appointment_cancelled", "partial_results", "completed", "cancelled"],
  },
  appointment_scheduled: {
    drawn: ["appointment_pending", "appointment_cancelled", "partial_results", "completed"],
    inferred: ["appointment_scheduled", "sample_error", "cancelled"],
  },
  appointment_cancelled: { drawn: ["appointment_pending", "cancelled"], inferred: ["partial_results", "completed"] },
  partial_results: { drawn: ["completed"], inferred: ["partial_results", "redraw_available", "sample_error"] },
  ...corrected,
};

const phlebotomy: TransitionTable<LowLevelStatusOf<"at_home_phlebotomy">> = {
  ordered,
  requisition_created: { drawn: ["appointment_pending", "cancelled"] },
  requisition_bypassed: { inferred: ["appointment_pending", "draw_completed", "cancelled"] },
  appointment_pending: { drawn: ["appointment_scheduled", "appointment_cancelled", "cancelled"] },
  appointment_scheduled: {
    drawn: ["appointment_scheduled", "draw_completed", "appointment_cancelled"],
    inferred: ["cancelled"],
  },
  appointment_cancelled: { drawn: ["appointment_pending", "appointment_scheduled", "cancelled"] },
  draw_completed: { drawn: ["partial_results", "completed"], inferred: ["sample_error", "cancelled"] },
  partial_results: { drawn: ["completed"], inferred: ["partial_results", "sample_error"] },
  ...corrected,
};

const onSite: TransitionTable<LowLevelStatusOf<"on_site_collection">> = {
  ordered,
  requisition_created: { inferred: ["draw_completed", "cancelled"] },
  requisition_bypassed: { inferred: ["draw_completed", "cancelled"] },
  draw_completed: { inferred: ["partial_results", "completed", "sample_error", "cancelled"] },
  partial_results: { inferred: ["partial_results", "completed", "sample_error"] },
  ...corrected,
};

/** Transitions of a test kit in transit to the laboratory, for both kit workflows. */
const kitAtLab = {
  transit_lab: {
    drawn: ["delivered_to_lab", "failure_to_deliver_to_lab"],
    inferred: ["problem_in_transit_lab", "lost"],
  },
  problem_in_transit_lab: { inferred: ["transit_lab", "delivered_to_lab", "failure_to_deliver_to_lab", "lost"] },
  delivered_to_lab: { drawn: ["completed", "sample_error"], inferred: ["lab_processing_blocked", "do_not_process"] },
  lab_processing_blocked: { inferred: ["completed", "sample_error", "do_not_process"] },
  ...corrected,
} satisfies TransitionTable<KitStatus>;

/** Transitions of a test kit in transit to the customer. */
const kitOutbound = {
  transit_customer: {
    drawn: ["out_for_delivery", "failure_to_deliver_to_customer"],
    inferred: ["problem_in_transit_customer"],
  },
  problem_in_transit_customer: { inferred: ["transit_customer", "out_for_delivery", "failure_to_deliver_to_customer"] },
  out_for_delivery: { drawn: ["with_customer", "failure_to_deliver_to_customer"] },
} satisfies TransitionTable<KitStatus>;

const kit: TransitionTable<KitStatus> = {
  ordered,
  requisition_created: { drawn: ["transit_customer", "cancelled"] },
  // An imported kit may be at any point of its shipment.
  requisition_bypassed: { drawn: ["transit_customer", "cancelled"], inferred: ["transit_lab", "delivered_to_lab"] },
  ...kitOutbound,
  with_customer: { drawn: ["transit_lab"], inferred: ["lost"] },
  ...kitAtLab,
};

/** Adds the registration, because a customer may register a kit before the courier reports its delivery. */
const orRegistered = ({ drawn = [], inferred = [] }: NextStatuses<KitStatus>): NextStatuses<KitStatus> => ({
  drawn,
  inferred: [...inferred, "registered"],
});

const registrableKit: TransitionTable<KitStatus> = {
  ordered: { drawn: ["awaiting_registration", "cancelled"] },
  awaiting_registration: { drawn: ["transit_customer", "cancelled"], inferred: ["registered"] },
  transit_customer: orRegistered(kitOutbound.transit_customer),
  problem_in_transit_customer: orRegistered(kitOutbound.problem_in_transit_customer),
  out_for_delivery: orRegistered(kitOutbound.out_for_delivery),
  with_customer: { drawn: ["registered"], inferred: ["lost"] },
  registered: { drawn: ["requisition_created"], inferred: ["cancelled"] },
  requisition_created: { drawn: ["transit_lab"], inferred: ["cancelled"] },
  ...kitAtLab,
};

function toTransitions(table: TransitionTable<LowLevelStatus>): OrderTransition[] {
  // `Object.entries` returns the keys of an object as strings.
  const rows = Object.entries(table) as [LowLevelStatus, NextStatuses<LowLevelStatus>][];
  return rows.flatMap(([from, { drawn = [], inferred = [] }]) => [
    ...drawn.map((to): OrderTransition => ({ from, to, source: "drawn" })),
    ...inferred.map((to): OrderTransition => ({ from, to, source: "inferred" })),
  ]);
}

/** Allowed transitions by workflow, in order of `from`. */
export const orderTransitions: Readonly<Record<OrderWorkflow, readonly OrderTransition[]>> = {
  walk_in_test: toTransitions(walkIn),
  at_home_phlebotomy: toTransitions(phlebotomy),
  on_site_collection: toTransitions(onSite),
  testkit: toTransitions(kit),
  registrable_testkit: toTransitions(registrableKit),
};

/** Initial low-level statuses: of an order placed here, and of an imported order. */
export const initialStatuses = { placed: "ordered", imported: "requisition_bypassed" } as const satisfies Record<
  string,
  LowLevelStatus
>;

/** Collection method of a workflow. */
export const collectionMethodOf = (way: OrderWorkflow): CollectionMethod =>
  way === "registrable_testkit" ? "testkit" : way;

/** Finds the transition between two low-level statuses; undefined if the table has none. */
export const findTransition = (
  way: OrderWorkflow,
  from: LowLevelStatus,
  to: LowLevelStatus,
): OrderTransition | undefined => orderTransitions[way].find((edge) => edge.from === from && edge.to === to);

/** Whether an order can be cancelled from this low-level status. */
export const isCancellable = (way: OrderWorkflow, level: LowLevelStatus): boolean =>
  findTransition(way, level, "cancelled") !== undefined;

/** Whether an order in this low-level status has its result; only a correction can follow. */
export const isResultedStatus = (level: LowLevelStatus): boolean => level === "completed" || level === "corrected";

/** Whether this low-level status finishes an order; a correction of its result may still follow. */
export const isFinishedStatus = (way: OrderWorkflow, level: LowLevelStatus): boolean =>
  isResultedStatus(level) || !orderTransitions[way].some(({ from }) => from === level);
