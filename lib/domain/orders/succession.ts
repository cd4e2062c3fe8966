import { clinicalNotes } from "./clinical-notes.ts";
import { blankOrder, type OrderGround } from "./new-order.ts";
import { cancelOrder, OrderCommandRefused } from "./order-commands.ts";
import {
  canMoveTo,
  currentLevel,
  isImported,
  isOrderOver,
  moveTo,
  type Order,
  transactionStatus,
} from "./order-move.ts";

type Transaction = NonNullable<Order["order_transaction"]>;

/** The laboratories that take a second sample on the same order. */
const REDRAWING_LABS = ["labcorp", "quest", "bioreference"];
/** The low-level status in which an order ends of which a second sample is taken. */
export const REDRAW = "redraw_available";
/** Redraws that one transaction may have. */
const MOST_REDRAWS = 1;

/** An order and the one that takes its place; both hold the same transaction, and are written together. */
export interface Succession {
  readonly former: Order;
  readonly successor: Order;
}

/** Why an order has no second sample, whatever its status is; undefined where it may have one. */
export function refusedRedraw(order: Order): string | undefined {
  const { lab_test, order_transaction } = order;
  if (isImported(order)) return "Only what was placed here is drawn again.";
  if (!REDRAWING_LABS.includes(lab_test.lab?.slug ?? "")) return "The laboratory takes no second sample.";
  const redraws = order_transaction?.orders.filter(({ origin }) => origin === "redraw") ?? [];
  return redraws.length >= MOST_REDRAWS ? "A second sample was offered already." : undefined;
}

/**
 * Ends a walk-in order whose sample gave no whole result, and begins another one for the same patient and test.
 * @throws OrderCommandRefused where the laboratory takes no second sample, or one was offered already.
 * @throws OrderMoveRefused unless the order has partial results.
 */
export function redraw(order: Order, ground: OrderGround, at: string): Succession {
  const refusal = refusedRedraw(order);
  if (refusal !== undefined) throw new OrderCommandRefused(refusal);
  return succeed(moveTo(order, REDRAW, at), ground, "redraw", order.clinical_notes, at);
}

/**
 * Places an order again, where it went to the wrong laboratory: with the lab test and lab account of `ground`. The former
 * order is cancelled unless it is over.
 *
 * @param given the comment as the team gave it, which gets the default of the fresh account.
 * @throws OrderCommandRefused for an order that can not be cancelled any more, or has a result.
 */
export function recreate(order: Order, ground: OrderGround, given: string | null, at: string): Succession {
  const level = currentLevel(order);
  const isDone = isOrderOver(order) && level !== "completed" && level !== "corrected";
  if (!isDone && !canMoveTo(order, "cancelled")) {
    throw new OrderCommandRefused(`An order in ${level} can not be placed again.`);
  }
  const notes = clinicalNotes(ground.labTest.lab?.slug, given, ground.defaultNotes);
  return succeed(isDone ? order : cancelOrder(order, at), ground, "recreation", notes, at);
}

function succeed(former: Order, ground: OrderGround, origin: string, notes: string | null, at: string): Succession {
  const { transactionId: _, ...rest } = ground;
  const transaction = former.order_transaction;
  if (transaction === null) throw new RangeError("an order without a transaction has no successor");
  const blank = blankOrder({ ...rest, transactionId: transaction.id }, "ordered", at);
  const [own] = blank.order_transaction?.orders ?? [];
  if (own === undefined) throw new RangeError("an order begins without its transaction");
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
