import type { Team } from "../domain/identity.ts";
import { OrderCommandRefused } from "../domain/orders/order-commands.ts";
import { type Order, OrderMoveRefused } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import { hasSiblings, withTransaction } from "../domain/orders/order-transaction.ts";
import type { UserRecord } from "../domain/user.ts";
import { orderEvents } from "../events/order-events.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { OrderStore } from "../store/orders.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { NotFound, NotPossible } from "./errors.ts";
import { tellingOf } from "./new-order-items.ts";
import { isoNow } from "./ports.ts";

/** Orders and whose they are. */
export interface OrderReads {
  readonly orders: Pick<OrderStore, "get" | "getMany" | "idsIn">;
  readonly users: Pick<UserStore, "get">;
}

/** What changing an order takes. */
export interface OrderUses {
  readonly orders: Pick<OrderStore, "get" | "changeItem">;
  readonly users: Pick<UserStore, "get">;
  /** Absent where no change brings an order another status. */
  readonly outbox?: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** What becomes of an order, with what else is written in the same transaction. */
export interface OrderChange extends Partial<Omit<OrderRecord, "revision">> {
  readonly items?: readonly WriteItem[];
}

const ATTEMPTS = 20;

export const orderNotFound = () => new NotFound("There is no order with this id.");

/** An order with its user. @throws NotFound also for that of a user who is deleted. */
export async function requireOrder(
  scope: TeamScope,
  orderId: string,
  { orders, users }: { orders: Pick<OrderStore, "get">; users: Pick<UserStore, "get"> },
): Promise<{ record: OrderRecord; user: UserRecord }> {
  const record = await orders.get(scope, orderId);
  const user = record && (await users.get(scope, record.order.user_id));
  if (!record || !user) throw orderNotFound();
  return { record, user };
}

/** The order as answers show it. @throws NotFound. */
export async function readOrder(scope: TeamScope, orderId: string, uses: OrderReads): Promise<Order> {
  const { record } = await requireOrder(scope, orderId, uses);
  return shown(scope, record.order, uses);
}

/** An order with its transaction as it is now. */
export async function shown(scope: TeamScope, order: Order, { orders }: Pick<OrderReads, "orders">): Promise<Order> {
  if (!hasSiblings(order)) return order;
  const ids = await orders.idsIn(scope, order.order_transaction?.id ?? "");
  return withTransaction(order, await orders.getMany(scope, ids));
}

/**
 * Changes an order, and tells it, in one transaction. Whoever loses a race looks again.
 * @param change what becomes of the order as it is now; undefined to leave it. @returns the order after the change.
 * @throws NotFound, and whatever `change` throws.
 */
export async function changeOrder(
  { scope, team }: { scope: TeamScope; team: Team },
  orderId: string,
  uses: OrderUses,
  change: (record: OrderRecord, at: string) => OrderChange | undefined | Promise<OrderChange | undefined>,
): Promise<Order> {
  for (let attempt = 1; ; attempt++) {
    const { record, user } = await requireOrder(scope, orderId, uses);
    const at = isoNow();
    const changed = await change(record, at);
    if (!changed) return record.order;
    const { items = [], ...rest } = changed;
    const after = { ...record, ...rest };
    const { outbox } = uses;
    const events = orderEvents(record.order, after.order, tellingOf(team, user));
    if (events.length > 0 && !outbox) throw new Error("a change of status that can not be told");
    try {
      await uses.commit([
        uses.orders.changeItem(scope, record, after),
        ...items,
        ...(outbox ? events.map((event) => outbox.addItem(event, at)) : []),
      ]);
      return after.order;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** {@link changeOrder} for a command of a team. @throws NotPossible for what the order does not do in its present state. */
export async function commandOrder(...given: Parameters<typeof changeOrder>): Promise<Order> {
  try {
    return await changeOrder(...given);
  } catch (error) {
    const isRefused = error instanceof OrderMoveRefused || error instanceof OrderCommandRefused;
    throw isRefused ? new NotPossible(error.message, { cause: error }) : error;
  }
}
