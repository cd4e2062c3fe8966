import { currentLevel, type Order, type StatusDetail, wayOf } from "../../domain/orders/order-move.ts";
import { methodOf, type OrderWay, orderEdges } from "../../domain/orders/order-states.ts";
import { fullStatus, levelOf, orderStatuses } from "../../domain/orders/order-status.ts";
import { REDRAW, refusedRedraw } from "../../domain/orders/succession.ts";

/** A status that a simulated order is to reach, and when, counted from the beginning of the walk. */
export interface PlannedStep {
  readonly level: string;
  readonly afterSeconds: number;
  readonly detail: StatusDetail | null;
}

/** The statuses of an order that goes well, in the order in which they come. */
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

/** The detail that goes with a status that a simulation ends in, where one is usual. */
const endDetails: Readonly<Record<string, StatusDetail>> = {
  sample_error: "sample_quantity_not_sufficient",
  lab_processing_blocked: "demographic_information_mismatch",
};

/** Why a walk can not be planned. */
export type WalkRefusal =
  /** There is no such status for this way of collecting. */
  | "other_method"
  /** No way leads there from where the order is. */
  | "not_reachable";

/**
 * The steps that take an order from where it is to a status: along the path of success as far as it leads there, and by
 * the fewest other steps where it does not. @param finalStatus in full; the path of success where it is not given.
 * @param delaySeconds between two steps; the first is at once.
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
 * The statuses after one that lead to another: of all ways the one that costs least, where a step of the path of success
 * costs 1 and any other more than the whole path.
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
