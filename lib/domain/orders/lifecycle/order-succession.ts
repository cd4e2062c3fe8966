import { clinicalNotes } from "../placement/clinical-notes.ts";
import { blankOrder, type OrderContext } from "../placement/new-order.ts";
import { cancelOrder, OrderCommandRefused } from "./order-commands.ts";
import type { LowLevelStatus, OrderOrigin } from "./order-status.ts";
import {
  canTransitionTo,
  isImported,
  isOrderFinished,
  lowLevelStatus,
  type Order,
  transactionStatus,
  transitionTo,
} from "./order-transitions.ts";
import { isResultedStatus } from "./transition-table.ts";

type Transaction = NonNullable<Order["order_transaction"]>;

/** Laboratories that accept a second sample for the same order. */
const REDRAWING_LABS = ["labcorp", "quest", "bioreference"];
/** Final low-level status of an order that a redraw replaces. */
export const REDRAW_AVAILABLE = "redraw_available" satisfies LowLevelStatus;
/** Maximum number of redraws in one transaction. */
const MAX_REDRAWS = 1;

/** An order and its successor. Both hold the same transaction and are written together. */
export interface OrderSuccession {
  readonly former: Order;
  readonly successor: Order;
}

/** Reason why an order allows no redraw, regardless of its status; undefined if it allows one. */
export function redrawRefusal(order: Order): string | undefined {
  const { lab_test, order_transaction } = order;
  if (isImported(order)) return "An imported order allows no redraw.";
  if (!REDRAWING_LABS.includes(lab_test.lab?.slug ?? "")) return "The laboratory does not accept a second sample.";
  const redraws = order_transaction?.orders.filter(({ origin }) => origin === "redraw") ?? [];
  return redraws.length >= MAX_REDRAWS ? "The order already had a redraw." : undefined;
}

/**
 * Closes a walk-in order with an incomplete result and creates its successor for the same patient and test.
 * @throws OrderCommandRefused when the laboratory accepts no second sample, or the order already had a redraw.
 * @throws OrderTransitionRefused unless the order is in `partial_results`.
 */
export function createRedraw(order: Order, context: OrderContext, at: string): OrderSuccession {
  const refusal = redrawRefusal(order);
  if (refusal !== undefined) throw new OrderCommandRefused(refusal);
  return createSuccessor(transitionTo(order, REDRAW_AVAILABLE, at), context, "redraw", order.clinical_notes, at);
}

/** Reason why an order cannot be placed again; undefined if it can. */
export function recreationRefusal(order: Order): string | undefined {
  if (isImported(order)) return "Only an order that was placed through this service can be placed again.";
  const hasSuccessor = order.order_transaction?.orders.some(({ parent_id }) => parent_id === order.id);
  if (hasSuccessor) return "Another order of the transaction already replaces the order.";
  const level = lowLevelStatus(order);
  const canEnd = canTransitionTo(order, "cancelled") || (isOrderFinished(order) && !isResultedStatus(level));
  return canEnd ? undefined : `An order with the status ${level} cannot be placed again.`;
}

/**
 * Replaces an order that went to the wrong laboratory, with the lab test and lab account of `context`. Cancels the
 * former order unless it is finished.
 *
 * @param given clinical notes as the team sent them; the default notes of the new account are added.
 * @throws OrderCommandRefused for an imported order, one that has a successor or a result, or one that cannot be
 * cancelled any more.
 */
export function createRecreation(
  order: Order,
  context: OrderContext,
  given: string | null,
  at: string,
): OrderSuccession {
  const refusal = recreationRefusal(order);
  if (refusal !== undefined) throw new OrderCommandRefused(refusal);
  const notes = clinicalNotes(context.labTest.lab?.slug, given, context.defaultNotes);
  return createSuccessor(isOrderFinished(order) ? order : cancelOrder(order, at), context, "recreation", notes, at);
}

function createSuccessor(
  former: Order,
  context: OrderContext,
  origin: OrderOrigin,
  notes: string | null,
  at: string,
): OrderSuccession {
  const { transactionId: _, ...rest } = context;
  const transaction = former.order_transaction;
  if (transaction === null) throw new RangeError("an order without a transaction cannot have a successor");
  const blank = blankOrder({ ...rest, transactionId: transaction.id }, "ordered", at);
  const [own] = blank.order_transaction?.orders ?? [];
  if (own === undefined) throw new RangeError("a new order has no transaction");
  const orders = [...transaction.orders, { ...own, origin, parent_id: former.id }];
  const shared: Transaction = { ...transaction, orders, status: transactionStatus(orders) };
  const successor: Order = {
    ...blank,
    patient_details: former.patient_details,
    patient_address: former.patient_address,
    shipping_details: former.shipping_details,
    physician: former.physician,
    priority: former.priority,
    passthrough: former.passthrough,
    billing_type: former.billing_type,
    icd_codes: former.icd_codes,
    clinical_notes: notes,
    origin,
    order_transaction: shared,
  };
  return { former: { ...former, order_transaction: shared }, successor };
}
