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

/** Stores to read orders and their users. */
export interface OrderReads {
  readonly orders: Pick<OrderStore, "get" | "getMany" | "idsIn">;
  readonly users: Pick<UserStore, "get">;
}

/** Dependencies of an order change. */
export interface OrderUses {
  readonly orders: Pick<OrderStore, "get" | "changeItem">;
  readonly users: Pick<UserStore, "get">;
  /** Absent if no change moves an order to another status. */
  readonly outbox?: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Changed fields of an order, with further writes of the same transaction. */
export interface OrderChange extends Partial<Omit<OrderRecord, "revision">> {
  readonly items?: readonly WriteItem[];
}

const ATTEMPTS = 20;

export const orderNotFound = () => new NotFound("There is no order with this id.");

/** Reads an order with its user. @throws NotFound for an unknown order, or if its user is deleted. */
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

/** Reads an order as responses show it. @throws NotFound. */
export async function readOrder(scope: TeamScope, orderId: string, uses: OrderReads): Promise<Order> {
  const { record } = await requireOrder(scope, orderId, uses);
  return shown(scope, record.order, uses);
}

/** Replaces the transaction of an order by its current state. */
export async function shown(scope: TeamScope, order: Order, { orders }: Pick<OrderReads, "orders">): Promise<Order> {
  if (!hasSiblings(order)) return order;
  const ids = await orders.idsIn(scope, order.order_transaction?.id ?? "");
  return withTransaction(order, await orders.getMany(scope, ids));
}

/** The team that changes an order. */
export interface Changer {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** Decides on a change of the current order; undefined leaves the order as it is. */
export type DecideChange = (
  record: OrderRecord,
  at: string,
  user: UserRecord,
) => OrderChange | undefined | Promise<OrderChange | undefined>;

/** A change of an order that is not yet written. */
export interface PlannedChange {
  /** The order after the change. */
  readonly order: Order;
  /** @throws ConditionFailed if another writer changed the order first. */
  readonly write: (more?: readonly WriteItem[]) => Promise<void>;
}

/** Reads the current order and plans a change of it. @throws NotFound, and the errors of `change`. */
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
  if (events.length > 0 && !outbox) throw new Error("a status change without an outbox for its events");
  const written = [
    uses.orders.changeItem(scope, record, after),
    ...items,
    ...(outbox ? events.map((event) => outbox.addItem(event, at)) : []),
  ];
  return { order: after.order, write: (more = []) => uses.commit([...written, ...more]) };
}

/** Retries an attempt that fails on a concurrent write, up to 20 times (optimistic concurrency). */
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
 * Changes an order and records its events in one transaction.
 * @returns the order after the change. @throws NotFound, and the errors of `change`.
 */
export function changeOrder(changer: Changer, orderId: string, uses: OrderUses, change: DecideChange): Promise<Order> {
  return untilUndisturbed(async () => {
    const { order, write } = await planChange(changer, orderId, uses, change);
    await write();
    return order;
  });
}

/** {@link changeOrder} for a command of a team. @throws NotPossible if the current state does not allow the command. */
export function commandOrder(...given: Parameters<typeof changeOrder>): Promise<Order> {
  return changeOrder(...given).catch((error) => {
    throw asRefusal(error);
  });
}

/** Maps the refusal of a command by an order or appointment to NotPossible. Returns other errors as they are. */
export function asRefusal(error: unknown): unknown {
  const isRefused = [OrderMoveRefused, OrderCommandRefused, AppointmentRefused].some((kind) => error instanceof kind);
  return isRefused ? new NotPossible((error as Error).message, { cause: error }) : error;
}
