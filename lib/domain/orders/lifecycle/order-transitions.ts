import type * as z from "zod";
import { dateToDay, dayToDate } from "../../shared/local-day.ts";
import type { wireOrder } from "../wire-order.ts";
import {
  fullStatusOf,
  highLevelPartOf,
  type LowLevelStatus,
  lowLevelStatusOf,
  type OrderStatus,
  type StatusDetail,
  type TransactionStatus,
} from "./order-status.ts";
import {
  collectionMethodOf,
  findTransition,
  initialStatuses,
  isFinishedStatus,
  isResultedStatus,
  type OrderWorkflow,
} from "./transition-table.ts";

/** Order, in the shape that is both stored and returned. */
export type Order = z.output<typeof wireOrder>;

/** The transition table does not allow a transition; the message names both statuses. */
export class OrderTransitionRefused extends Error {
  override readonly name = "OrderTransitionRefused";
  readonly from: LowLevelStatus;
  readonly to: LowLevelStatus;

  constructor(order: Order, to: LowLevelStatus, why = "") {
    super(`An order cannot change from ${lowLevelStatusOf(order.last_event.status)} to ${to}${why}.`);
    this.from = lowLevelStatusOf(order.last_event.status);
    this.to = to;
  }
}

/** Low-level statuses that each detail applies to. Those of `fulfillment_error` are inferred, not published. */
const detailStatuses: Readonly<Record<StatusDetail, readonly LowLevelStatus[]>> = {
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
export const SAMPLE_TAKEN_STATUSES: readonly LowLevelStatus[] = [
  "draw_completed",
  "delivered_to_lab",
  "partial_results",
];

/** Low-level statuses of an order without a scheduled appointment, which had or will have one. */
const UNSCHEDULED_STATUSES: readonly LowLevelStatus[] = ["appointment_pending", "appointment_cancelled"];

/** Low-level statuses that a report causes, with the status of the report. */
export const reportStatuses = {
  partial_results: "partial",
  completed: "final",
  corrected: "corrected",
} as const satisfies Partial<Record<LowLevelStatus, string>>;

/** Whether a report brings an order to this low-level status. */
export const isReportedStatus = (level: LowLevelStatus): level is keyof typeof reportStatuses =>
  Object.hasOwn(reportStatuses, level);

/** Last status event of an order that no report caused: its sample was collected by then. */
export const lastEventBeforeResults = ({ events, last_event }: Order): Order["last_event"] =>
  events.findLast(({ status }) => !isReportedStatus(lowLevelStatusOf(status))) ?? last_event;

/** Low-level status of an order. */
export const lowLevelStatus = (order: Order): LowLevelStatus => lowLevelStatusOf(order.last_event.status);

/** Workflow of an order. A test kit ordered without a patient stays `registrable_testkit` after its registration. */
export function workflowOf(order: Order): OrderWorkflow {
  if (order.details.type !== "testkit") return order.details.type;
  const isRegistrable =
    order.patient_details === null ||
    order.events.some(({ status }) => lowLevelStatusOf(status) === "awaiting_registration");
  return isRegistrable ? "registrable_testkit" : "testkit";
}

/** Whether an order was placed elsewhere and imported. */
export const isImported = ({ events: [first] }: Order): boolean =>
  first !== undefined && lowLevelStatusOf(first.status) === initialStatuses.imported;

/** Whether an order can change to this low-level status. */
export const canTransitionTo = (order: Order, level: LowLevelStatus): boolean =>
  findTransition(workflowOf(order), lowLevelStatus(order), level) !== undefined;

/** Whether an order is finished; a correction of its result may still follow. */
export const isOrderFinished = (order: Order): boolean => isFinishedStatus(workflowOf(order), lowLevelStatus(order));

/**
 * Changes the status of an order and appends the status event.
 *
 * @param at ISO 8601; an earlier instant than the last event's is replaced by it, so that events stay in order.
 * @throws OrderTransitionRefused for a transition outside the table, or a detail that does not apply to the status.
 */
export function transitionTo(
  order: Order,
  level: LowLevelStatus,
  at: string,
  detail: StatusDetail | null = null,
): Order {
  const way = workflowOf(order);
  if (!canTransitionTo(order, level)) throw new OrderTransitionRefused(order, level);
  if (detail !== null && !detailStatuses[detail].includes(level)) {
    throw new OrderTransitionRefused(order, level, ` with the detail ${detail}`);
  }
  return appendEvent(order, fullStatusOf(collectionMethodOf(way), level), at, detail);
}

function appendEvent(order: Order, status: OrderStatus, at: string, detail: StatusDetail | null): Order {
  const created_at = Date.parse(at) < Date.parse(order.last_event.created_at) ? order.last_event.created_at : at;
  const event = { id: order.last_event.id + 1, created_at, status, status_detail: detail };
  const level = lowLevelStatusOf(status);
  const moved = {
    ...order,
    events: [...order.events, event],
    last_event: event,
    status: highLevelPartOf(status),
    updated_at: created_at,
    ...changedExpectedDates(order, level, created_at),
  };
  return { ...moved, order_transaction: transactionWithStatus(order, level, created_at) };
}

type ExpectedDates = Pick<Order, "expected_result_by_date" | "worst_case_result_by_date">;

/** Expected dates that a new status changes: a sample sets missing ones, the end of an appointment removes its own. */
function changedExpectedDates(order: Order, level: LowLevelStatus, at: string): Partial<ExpectedDates> {
  if (UNSCHEDULED_STATUSES.includes(level)) return { expected_result_by_date: null, worst_case_result_by_date: null };
  const isFirst = SAMPLE_TAKEN_STATUSES.includes(level) && order.expected_result_by_date === null;
  return isFirst ? expectedResultDates(order.lab_test, at.slice(0, 10)) : {};
}

/** Usual and latest date of the result, counted from the collection date (YYYY-MM-DD). */
export function expectedResultDates(
  { common_tat_days, worst_case_tat_days }: Order["lab_test"],
  takenOn: string,
): ExpectedDates {
  const after = (days: number | null) => (days === null ? null : dayToDate(dateToDay(takenOn) + days));
  return {
    expected_result_by_date: after(common_tat_days),
    worst_case_result_by_date: after(worst_case_tat_days),
  };
}

/** Updates the status of an order within its own transaction. */
function transactionWithStatus(order: Order, level: LowLevelStatus, at: string): Order["order_transaction"] {
  const transaction = order.order_transaction;
  if (transaction === null) return null;
  const orders = transaction.orders.map((member) =>
    member.id === order.id
      ? { ...member, low_level_status: level, low_level_status_created_at: at, updated_at: at }
      : member,
  );
  return { ...transaction, orders, status: transactionStatus(orders) };
}

type TransactionMember = NonNullable<Order["order_transaction"]>["orders"][number];

/** Low-level statuses after which neither a result nor a successor order can follow. */
const STATUSES_WITHOUT_RESULT: readonly LowLevelStatus[] = [
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
export function transactionStatus(orders: readonly TransactionMember[]): TransactionStatus {
  const levels = orders.map(({ low_level_status }) => low_level_status);
  if (levels.some((level) => level !== null && isResultedStatus(level))) return "completed";
  const last = levels.at(-1) ?? null;
  return last !== null && STATUSES_WITHOUT_RESULT.includes(last) ? "cancelled" : "active";
}
