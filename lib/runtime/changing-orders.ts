import { AppointmentRefused } from "../domain/appointments/appointment.ts";
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

/** Whose order is changed, and by whom. */
export interface Changer {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** What becomes of an order as it is now; undefined to leave it. */
export type DecideChange = (
  record: OrderRecord,
  at: string,
  user: UserRecord,
) => OrderChange | undefined | Promise<OrderChange | undefined>;

/** A change of an order that is still to be written. */
export interface PlannedChange {
  /** The order after the change. */
  readonly order: Order;
  /** @throws ConditionFailed where somebody else was faster. */
  readonly write: (more?: readonly WriteItem[]) => Promise<void>;
}

/** Looks at an order as it is now and decides on a change of it. @throws NotFound, and whatever `change` throws. */
export async function planChange(
  { scope, team }: Changer,
  orderId: string,
  uses: OrderUses,
  change: DecideChange,
): Promise<PlannedChange> {
  const { record, user } = await requireOrder(scope, orderId, uses);
  const at = isoNow();
  const changed = await change(record, at, user);
  if (!changed) return { order: record.order, write: async () => undefined };
  const { items = [], ...rest } = changed;
  const after = { ...record, ...rest };
  const { outbox } = uses;
  const events = orderEvents(record.order, after.order, tellingOf(team, user));
  if (events.length > 0 && !outbox) throw new Error("a change of status that can not be told");
  const written = [
    uses.orders.changeItem(scope, record, after),
    ...items,
    ...(outbox ? events.map((event) => outbox.addItem(event, at)) : []),
  ];
  return { order: after.order, write: (more = []) => uses.commit([...written, ...more]) };
}

/** Tries until nobody else was faster: whoever loses a race looks again. */
export async function untilUndisturbed<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || count === ATTEMPTS) throw error;
    }
  }
}

/**
 * Changes an order, and tells it, in one transaction.
 * @returns the order after the change. @throws NotFound, and whatever `change` throws.
 */
export function changeOrder(changer: Changer, orderId: string, uses: OrderUses, change: DecideChange): Promise<Order> {
  return untilUndisturbed(async () => {
    const { order, write } = await planChange(changer, orderId, uses, change);
    await write();
    return order;
  });
}

/** {@link changeOrder} for a command of a team. @throws NotPossible for what the order does not do in its present state. */
export function commandOrder(...given: Parameters<typeof changeOrder>): Promise<Order> {
  return changeOrder(...given).catch((error) => {
    throw asRefusal(error);
  });
}

/** The answer to a command that an order or its appointment does not take in its present state; else the error itself. */
export function asRefusal(error: unknown): unknown {
  const isRefused = [OrderMoveRefused, OrderCommandRefused, AppointmentRefused].some((kind) => error instanceof kind);
  return isRefused ? new NotPossible((error as Error).message, { cause: error }) : error;
}
