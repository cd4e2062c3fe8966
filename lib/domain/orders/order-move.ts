import type * as z from "zod";
import { dateOf, dayOfDate } from "../local-day.ts";
import { edgeOf, firstStatuses, isOver, methodOf, type OrderWay } from "./order-states.ts";
import { fullStatus, levelOf, type orderStatusDetails } from "./order-status.ts";
import type { wireOrder } from "./wire-order.ts";

/** An order as stored and as answered: both are one. */
export type Order = z.output<typeof wireOrder>;
/** Finer grain of a status. */
export type StatusDetail = (typeof orderStatusDetails)[number];

/** The step is none that an order may make; the message names it. */
export class OrderMoveRefused extends Error {
  override readonly name = "OrderMoveRefused";
  readonly from: string;
  readonly to: string;

  constructor(order: Order, to: string, why = "") {
    super(`An order can not go from ${levelOf(order.last_event.status)} to ${to}${why}.`);
    this.from = levelOf(order.last_event.status);
    this.to = to;
  }
}

/** Which statuses a detail goes with; those of fulfilment are inferred. */
const detailStatuses: Readonly<Record<StatusDetail, readonly string[]>> = {
  fulfillment_error: ["failure_to_deliver_to_customer", "failure_to_deliver_to_lab", "cancelled", "lost"],
  date_of_collection_unspecified: ["lab_processing_blocked"],
  demographic_information_unspecified: ["lab_processing_blocked"],
  demographic_information_mismatch: ["lab_processing_blocked"],
  sample_quantity_not_sufficient: ["sample_error"],
  sample_contaminated: ["sample_error"],
  sample_stability_exceeded: ["sample_error"],
  sample_hemolyzed: ["sample_error"],
  sample_improper_collection: ["sample_error"],
};

/** The low-level statuses from which the laboratory has the sample, so that its days count. */
const SAMPLE_TAKEN = ["draw_completed", "delivered_to_lab", "partial_results"];

/** The low-level status of an order. */
export const currentLevel = (order: Order): string => levelOf(order.last_event.status);

/** The way of an order: a kit that was ordered without a patient stays a registrable one when it has its patient. */
export function wayOf(order: Order): OrderWay {
  if (order.details.type !== "testkit") return order.details.type;
  const isRegistrable =
    order.patient_details === null || order.events.some(({ status }) => levelOf(status) === "awaiting_registration");
  return isRegistrable ? "registrable_testkit" : "testkit";
}

/** Whether an order was placed elsewhere. */
export const isImported = ({ events: [first] }: Order): boolean =>
  levelOf(first?.status ?? "") === firstStatuses.imported;

/** Whether an order can make this step. */
export const canMoveTo = (order: Order, level: string): boolean =>
  edgeOf(wayOf(order), currentLevel(order), level) !== undefined;

/** Whether nothing further happens to an order, corrections of its result aside. */
export const isOrderOver = (order: Order): boolean => isOver(wayOf(order), currentLevel(order));

/**
 * The order in its next status, with the event that tells it.
 *
 * @param at ISO 8601; an instant before the last event counts as that of the last event, so that events stay in order.
 * @throws OrderMoveRefused for a step that is not in the table, or a detail that does not go with the status.
 */
export function moveTo(order: Order, level: string, at: string, detail: StatusDetail | null = null): Order {
  const way = wayOf(order);
  if (!canMoveTo(order, level)) throw new OrderMoveRefused(order, level);
  if (detail !== null && !detailStatuses[detail].includes(level)) {
    throw new OrderMoveRefused(order, level, ` with the detail ${detail}`);
  }
  return appendEvent(order, fullStatus(methodOf(way), level), at, detail);
}

function appendEvent(order: Order, status: string, at: string, detail: StatusDetail | null): Order {
  const created_at = Date.parse(at) < Date.parse(order.last_event.created_at) ? order.last_event.created_at : at;
  const event = { id: order.last_event.id + 1, created_at, status, status_detail: detail };
  const level = levelOf(status);
  const moved = {
    ...order,
    events: [...order.events, event],
    last_event: event,
    status: status.slice(0, status.indexOf(".")),
    updated_at: created_at,
    ...(SAMPLE_TAKEN.includes(level) && order.expected_result_by_date === null
      ? expectedDates(order.lab_test, created_at.slice(0, 10))
      : {}),
  };
  return { ...moved, order_transaction: withStatus(order, level, created_at) };
}

/** The days by which the result usually is there, and at the latest, counted from the day the sample was taken. */
export function expectedDates(
  { common_tat_days, worst_case_tat_days }: Order["lab_test"],
  takenOn: string,
): Pick<Order, "expected_result_by_date" | "worst_case_result_by_date"> {
  const after = (days: number | null) => (days === null ? null : dateOf(dayOfDate(takenOn) + days));
  return {
    expected_result_by_date: after(common_tat_days),
    worst_case_result_by_date: after(worst_case_tat_days),
  };
}

/** The transaction of an order, in which that order has another status. */
function withStatus(order: Order, level: string, at: string): Order["order_transaction"] {
  const transaction = order.order_transaction;
  if (transaction === null) return null;
  const orders = transaction.orders.map((member) =>
    member.id === order.id
      ? { ...member, low_level_status: level, low_level_status_created_at: at, updated_at: at }
      : member,
  );
  return { ...transaction, orders, status: transactionStatus(orders) };
}

type Member = NonNullable<Order["order_transaction"]>["orders"][number];

/** Statuses of an order from which no result comes, and no other order in its place. */
const WITHOUT_RESULT = [
  "cancelled",
  "do_not_process",
  "lost",
  "sample_error",
  "failure_to_deliver_to_customer",
  "failure_to_deliver_to_lab",
];

/** Completed by the result of any of its orders; cancelled once none of them can have one (inferred); else active. */
export function transactionStatus(orders: readonly Member[]): "active" | "completed" | "cancelled" {
  const levels = orders.map(({ low_level_status }) => low_level_status ?? "");
  if (levels.some((level) => level === "completed" || level === "corrected")) return "completed";
  const last = levels.at(-1) ?? "";
  return WITHOUT_RESULT.includes(last) ? "cancelled" : "active";
}
