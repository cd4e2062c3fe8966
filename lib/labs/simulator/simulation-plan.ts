import {
  type LowLevelStatus,
  lowLevelStatusOf,
  type OrderStatus,
  type StatusDetail,
} from "../../domain/orders/lifecycle/order-status.ts";
import { REDRAW_AVAILABLE, redrawRefusal } from "../../domain/orders/lifecycle/order-succession.ts";
import { lowLevelStatus, type Order, workflowOf } from "../../domain/orders/lifecycle/order-transitions.ts";
import {
  collectionMethodOf,
  type OrderWorkflow,
  orderTransitions,
} from "../../domain/orders/lifecycle/transition-table.ts";

/** A status of the simulation plan, its delay from the start, and its detail. */
export interface PlannedStep {
  readonly level: LowLevelStatus;
  readonly afterSeconds: number;
  readonly detail: StatusDetail | null;
}

/** The statuses of a successful order, in sequence. */
export const successPaths: Readonly<Record<OrderWorkflow, readonly LowLevelStatus[]>> = {
  walk_in_test: ["ordered", "requisition_created", "appointment_pending", "appointment_scheduled", "completed"],
  at_home_phlebotomy: [
    "ordered",
    "requisition_created",
    "appointment_pending",
    "appointment_scheduled",
    "draw_completed",
    "completed",
  ],
  on_site_collection: ["ordered", "requisition_created", "draw_completed", "completed"],
  testkit: [
    "ordered",
    "requisition_created",
    "transit_customer",
    "out_for_delivery",
    "with_customer",
    "transit_lab",
    "delivered_to_lab",
    "completed",
  ],
  registrable_testkit: [
    "ordered",
    "awaiting_registration",
    "transit_customer",
    "out_for_delivery",
    "with_customer",
    "registered",
    "requisition_created",
    "transit_lab",
    "delivered_to_lab",
    "completed",
  ],
};

/** The usual detail of a final status. */
const finalDetails: Readonly<Partial<Record<LowLevelStatus, StatusDetail>>> = {
  sample_error: "sample_quantity_not_sufficient",
  lab_processing_blocked: "demographic_information_mismatch",
};

/** The reason for which a simulation plan is impossible. */
export type SimulationRefusal =
  /** The collection method has no such status. */
  | "other_method"
  /** No sequence of statuses leads there. */
  | "not_reachable";

/**
 * Plans the status changes that take an order from its current status to another: along the success path as far as
 * possible, else by the fewest other steps.
 * @param finalStatus the full status; by default the plan follows the success path to its end.
 * @param delaySeconds delay between two steps; the first step is immediate.
 */
export function planSimulation(
  order: Order,
  finalStatus: OrderStatus | undefined,
  delaySeconds: number,
): PlannedStep[] | SimulationRefusal {
  const way = workflowOf(order);
  const target = finalStatus === undefined ? "completed" : lowLevelStatusOf(finalStatus);
  if (finalStatus !== undefined && !finalStatus.includes(`.${collectionMethodOf(way)}.`)) return "other_method";
  const levels = findStatusPath(way, lowLevelStatus(order), target);
  if (levels === undefined || (levels.includes(REDRAW_AVAILABLE) && redrawRefusal(order) !== undefined))
    return "not_reachable";
  return levels.map((level, index) => ({
    level,
    afterSeconds: index * delaySeconds,
    detail: index === levels.length - 1 ? (finalDetails[level] ?? null) : null,
  }));
}

/**
 * The cheapest sequence of statuses from one to another (Dijkstra). A step on the success path costs 1; any other step
 * costs more than the whole path.
 */
export function findStatusPath(
  way: OrderWorkflow,
  from: LowLevelStatus,
  to: LowLevelStatus,
): LowLevelStatus[] | undefined {
  if (from === to) return [];
  const path = successPaths[way];
  const isOnPath = (a: LowLevelStatus, b: LowLevelStatus) =>
    path.indexOf(b) === path.indexOf(a) + 1 && path.includes(a);
  const cost = new Map<LowLevelStatus, number>([[from, 0]]);
  const before = new Map<LowLevelStatus, LowLevelStatus>();
  const open = new Set([from]);
  for (;;) {
    const [level] = [...open].toSorted((a, b) => (cost.get(a) ?? 0) - (cost.get(b) ?? 0));
    if (level === undefined) return undefined;
    open.delete(level);
    if (level === to) return tracePath(before, to);
    for (const edge of orderTransitions[way].filter((one) => one.from === level && one.to !== level)) {
      const next = (cost.get(level) ?? 0) + (isOnPath(level, edge.to) ? 1 : path.length + 1);
      if (next >= (cost.get(edge.to) ?? Number.POSITIVE_INFINITY)) continue;
      cost.set(edge.to, next);
      before.set(edge.to, level);
      open.add(edge.to);
    }
  }
}

function tracePath(before: ReadonlyMap<LowLevelStatus, LowLevelStatus>, to: LowLevelStatus): LowLevelStatus[] {
  const levels: LowLevelStatus[] = [];
  for (let at: LowLevelStatus | undefined = to; at !== undefined && before.has(at); at = before.get(at))
    levels.unshift(at);
  return levels;
}
