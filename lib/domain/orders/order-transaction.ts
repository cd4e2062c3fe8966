import * as z from "zod";
import { typedOpenEnum, typedString } from "../../contract/open-enum.ts";
import { type LowLevelStatus, orderOrigins, transactionStatuses } from "./lifecycle/order-status.ts";
import { type Order, transactionStatus } from "./lifecycle/order-transitions.ts";

const instant = z.iso.datetime({ offset: true });

/** Path parameters of the routes of one transaction. */
export const transactionParams = z.object({
  transaction_id: z
    .guid()
    .toLowerCase()
    .meta({ description: "Id of the order transaction, from order_transaction of an order" }),
});

/** Order transaction, as returned. */
export const wireTransaction = z
  .object({
    id: z.guid(),
    team_id: z.guid(),
    status: typedOpenEnum(transactionStatuses),
    orders: z.array(
      z.object({
        id: z.guid(),
        origin: typedOpenEnum(orderOrigins).nullable(),
        parent_id: z.guid().nullable(),
        last_status: typedString<LowLevelStatus | "">(),
        last_status_created_at: instant,
        created_at: instant,
        updated_at: instant,
      }),
    ),
  })
  .meta({ id: "OrderTransaction" });

type WireTransaction = z.input<typeof wireTransaction>;

/** Converts the transaction of an order. The order must hold the current transaction; see {@link withCurrentTransaction}. */
export function toWireTransaction({ team_id, order_transaction, ...order }: Order): WireTransaction {
  const orders = (order_transaction?.orders ?? []).map(
    ({ low_level_status, low_level_status_created_at, ...member }): WireTransaction["orders"][number] => ({
      ...member,
      last_status: low_level_status ?? "",
      last_status_created_at: low_level_status_created_at ?? member.created_at,
    }),
  );
  return { id: order_transaction?.id ?? order.id, team_id, status: order_transaction?.status ?? "active", orders };
}

/** Whether a transaction has several orders, so that the copy within one order may be outdated. */
export const hasSiblings = ({ order_transaction }: Order): boolean => (order_transaction?.orders.length ?? 0) > 1;

/**
 * Refreshes the transaction within an order from the orders of that transaction. Each order is authoritative for
 * itself.
 * @param siblings orders of the same transaction, in any order, with or without this one.
 */
export function withCurrentTransaction(order: Order, siblings: readonly Order[]): Order {
  if (order.order_transaction === null) return order;
  const members = new Map(order.order_transaction.orders.map((member) => [member.id, member]));
  for (const { id, order_transaction } of [...siblings, order]) {
    const own = order_transaction?.orders.find((member) => member.id === id);
    if (own) members.set(id, own);
  }
  const orders = [...members.values()].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  return { ...order, order_transaction: { ...order.order_transaction, orders, status: transactionStatus(orders) } };
}
