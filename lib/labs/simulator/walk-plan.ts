import { currentLevel, type Order, type StatusDetail, wayOf } from "../../domain/orders/order-move.ts";
import { methodOf, type OrderWay, orderEdges } from "../../domain/orders/order-states.ts";
import { fullStatus, levelOf, orderStatuses } from "../../domain/orders/order-status.ts";
import { REDRAW, refusedRedraw } from "../../domain/orders/succession.ts";

/** A status of the simulation plan, its delay from the start, and its detail. */
export interface PlannedStep {
  readonly level: string;
  readonly afterSeconds: number;
  readonly detail: StatusDetail | null;
}

/** The statuses of a successful order, in sequence. */
export const successPaths: Readonly<Record<OrderWay, readonly string[]>> = {
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
const endDetails: Readonly<Record<string, StatusDetail>> = {
  sample_error: "sample_quantity_not_sufficient",
  lab_processing_blocked: "demographic_information_mismatch",
};

/** The reason for which a simulation plan is impossible. */
export type WalkRefusal =
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
export function planWalk(
  order: Order,
  finalStatus: string | undefined,
  delaySeconds: number,
): PlannedStep[] | WalkRefusal {
  const way = wayOf(order);
  const target = finalStatus === undefined ? "completed" : levelOf(finalStatus);
  const isOfMethod = orderStatuses.includes(`${finalStatus}`) && finalStatus === tryFull(way, target);
  if (finalStatus !== undefined && !isOfMethod) return "other_method";
  const levels = route(way, currentLevel(order), target);
  if (levels === undefined || (levels.includes(REDRAW) && refusedRedraw(order) !== undefined)) return "not_reachable";
  return levels.map((level, index) => ({
    level,
    afterSeconds: index * delaySeconds,
    detail: index === levels.length - 1 ? (endDetails[level] ?? null) : null,
  }));
}

function tryFull(way: OrderWay, level: string): string | undefined {
  try {
    return fullStatus(methodOf(way), level);
  } catch {
    return undefined;
  }
}

/**
 * The cheapest sequence of statuses from one to another (Dijkstra). A step on the success path costs 1; any other step
 * costs more than the whole path.
 */
export function route(way: OrderWay, from: string, to: string): string[] | undefined {
  if (from === to) return [];
  const path = successPaths[way];
  const isOnPath = (a: string, b: string) => path.indexOf(b) === path.indexOf(a) + 1 && path.includes(a);
  const cost = new Map([[from, 0]]);
  const before = new Map<string, string>();
  const open = new Set([from]);
  while (open.size > 0) {
    const [level = ""] = [...open].toSorted((a, b) => (cost.get(a) ?? 0) - (cost.get(b) ?? 0));
    open.delete(level);
    if (level === to) return backwards(before, to);
    for (const edge of orderEdges[way].filter((one) => one.from === level && one.to !== level)) {
      const next = (cost.get(level) ?? 0) + (isOnPath(level, edge.to) ? 1 : path.length + 1);
      if (next >= (cost.get(edge.to) ?? Number.POSITIVE_INFINITY)) continue;
      cost.set(edge.to, next);
      before.set(edge.to, level);
      open.add(edge.to);
    }
  }
  return undefined;
}

function backwards(before: ReadonlyMap<string, string>, to: string): string[] {
  const levels: string[] = [];
  for (let at: string | undefined = to; at !== undefined && before.has(at); at = before.get(at)) levels.unshift(at);
  return levels;
}
