import type * as z from "zod";
import { dateOf, dayOfDate } from "../local-day.ts";
import { edgeOf, firstStatuses, isOver, methodOf, type OrderWay } from "./order-states.ts";
import { fullStatus, levelOf, type orderStatusDetails } from "./order-status.ts";
import type { wireOrder } from "./wire-order.ts";

/** Order, in the shape that is both stored and returned. */
export type Order = z.output<typeof wireOrder>;
/** Detail of a low-level status. */
export type StatusDetail = (typeof orderStatusDetails)[number];

/** The transition table does not allow a transition; the message names both statuses. */
export class OrderMoveRefused extends Error {
  override readonly name = "OrderMoveRefused";
  readonly from: string;
  readonly to: string;

  constructor(order: Order, to: string, why = "") {
    super(`An order cannot change from ${levelOf(order.last_event.status)} to ${to}${why}.`);
    this.from = levelOf(order.last_event.status);
    this.to = to;
  }
}

/** Low-level statuses that each detail applies to. Those of `fulfillment_error` are inferred, not published. */
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

/** Low-level statuses that start the laboratory's turnaround time. */
const SAMPLE_TAKEN = ["draw_completed", "delivered_to_lab", "partial_results"];

/** Low-level status of an order. */
export const currentLevel = (order: Order): string => levelOf(order.last_event.status);

/** Workflow of an order. A test kit ordered without a patient stays `registrable_testkit` after its registration. */
export function wayOf(order: Order): OrderWay {
  if (order.details.type !== "testkit") return order.details.type;
  const isRegistrable =
    order.patient_details === null || order.events.some(({ status }) => levelOf(status) === "awaiting_registration");
  return isRegistrable ? "registrable_testkit" : "testkit";
}

/** Whether an order was placed elsewhere and imported. */
export const isImported = ({ events: [first] }: Order): boolean =>
  levelOf(first?.status ?? "") === firstStatuses.imported;

/** Whether an order can change to this low-level status. */
export const canMoveTo = (order: Order, level: string): boolean =>
  edgeOf(wayOf(order), currentLevel(order), level) !== undefined;

/** Whether an order is finished; a correction of its result may still follow. */
export const isOrderOver = (order: Order): boolean => isOver(wayOf(order), currentLevel(order));

/**
 * Changes the status of an order and appends the status event.
 *
 * @param at ISO 8601; an earlier instant than the last event's is replaced by it, so that events stay in order.
 * @throws OrderMoveRefused for a transition outside the table, or a detail that does not apply to the status.
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

/** Usual and latest date of the result, counted from the collection date (YYYY-MM-DD). */
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

/** Updates the status of an order within its own transaction. */
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

/** Low-level statuses after which neither a result nor a successor order can follow. */
const WITHOUT_RESULT = [
  "cancelled",
  "do_not_process",
  "lost",
  "sample_error",
  "failure_to_deliver_to_customer",
  "failure_to_deliver_to_lab",
];

/**
 * Status of a transaction: `completed` when any of its orders has a result, `cancelled` when its last order can have
 * none (inferred, not published), otherwise `active`.
 */
export function transactionStatus(orders: readonly Member[]): "active" | "completed" | "cancelled" {
  const levels = orders.map(({ low_level_status }) => low_level_status ?? "");
  if (levels.some((level) => level === "completed" || level === "corrected")) return "completed";
  const last = levels.at(-1) ?? "";
  return WITHOUT_RESULT.includes(last) ? "cancelled" : "active";
}
