import { type Order, transactionStatus } from "./order-move.ts";

/** Whether what an order says of its transaction may be behind the other orders of it. */
export const hasSiblings = ({ order_transaction }: Order): boolean => (order_transaction?.orders.length ?? 0) > 1;

/**
 * The order with its transaction as it is now: each order knows best how it stands itself.
 * @param siblings the orders of the same transaction, in any order, with or without this one.
 */
export function withTransaction(order: Order, siblings: readonly Order[]): Order {
  if (order.order_transaction === null) return order;
  const members = new Map(order.order_transaction.orders.map((member) => [member.id, member]));
  for (const { id, order_transaction } of [...siblings, order]) {
    const own = order_transaction?.orders.find((member) => member.id === id);
    if (own) members.set(id, own);
  }
  const orders = [...members.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  return { ...order, order_transaction: { ...order.order_transaction, orders, status: transactionStatus(orders) } };
}
