import { batchGetItem, getItem, grants, putItem, queryItems } from "../../contract/access.ts";
import { orders, users } from "../../contract/resources.ts";
import { AppointmentRefused } from "../../domain/appointments/appointment.ts";
import type { Team } from "../../domain/management/records.ts";
import { OrderCommandRefused } from "../../domain/orders/lifecycle/order-commands.ts";
import { type Order, OrderTransitionRefused } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { hasSiblings, withCurrentTransaction } from "../../domain/orders/order-transaction.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { orderEvents } from "../../events/constructors/order-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound, NotPossible } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import { retryConditionFailed } from "../../store/condition-failed.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users/users.ts";
import { orderEventOptions } from "./plan-new-order.ts";

/** Stores to read orders and their users. */
export interface OrderReadDependencies {
  readonly orders: Pick<OrderStore, "get" | "getMany" | "listIdsByTransaction">;
  readonly users: Pick<UserStore, "get">;
}

/** Grants of {@link loadOrderWithTransaction}. */
export const orderTransactionAccess = [queryItems(orders), batchGetItem(orders)] as const;

/** Grants of {@link readOrder}. */
export const readOrderAccess = grants(getItem(orders), orderTransactionAccess, getItem(users));

/** Dependencies of an order change. */
export type ChangeOrderDependencies = Dependencies<"commit"> & {
  readonly orders: Pick<OrderStore, "get" | "updateItem">;
  readonly users: Pick<UserStore, "get">;
  /** Absent if no change moves an order to another status. */
  readonly outbox?: Pick<OutboxStore, "appendItem">;
};

/** Grants of {@link changeOrder}. A change of the status also needs a grant to put events into the outbox. */
export const changeOrderAccess = [getItem(orders), putItem(orders), getItem(users)] as const;

/** Changed fields of an order, with further writes of the same transaction. */
export interface OrderChange extends Partial<Omit<OrderRecord, "revision">> {
  /** User of the order from this change on, whom its events name; default: the user until then. */
  readonly owner?: UserRecord;
  /** Sample of a result, which the event of a critical one names if the order has no sample number. */
  readonly resultSample?: string | null;
  readonly items?: readonly WriteItem[];
}

const MAX_ATTEMPTS = 20;

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
export async function readOrder(scope: TeamScope, orderId: string, deps: OrderReadDependencies): Promise<Order> {
  const { record } = await requireOrder(scope, orderId, deps);
  return loadOrderWithTransaction(scope, record.order, deps);
}

/** Replaces the transaction of an order by its current state. */
export async function loadOrderWithTransaction(
  scope: TeamScope,
  order: Order,
  { orders }: Pick<OrderReadDependencies, "orders">,
): Promise<Order> {
  if (!hasSiblings(order)) return order;
  const ids = await orders.listIdsByTransaction(scope, order.order_transaction?.id ?? "");
  return withCurrentTransaction(order, await orders.getMany(scope, ids));
}

/** The team that changes an order. */
export interface OrderActor {
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
export interface PlannedOrderChange {
  /** The order after the change. */
  readonly order: Order;
  /** @throws ConditionFailed if another writer changed the order first. */
  readonly write: (more?: readonly WriteItem[]) => Promise<void>;
}

/** Reads the current order and plans a change of it. @throws NotFound, and the errors of `change`. */
export async function planOrderChange(
  { scope, team }: OrderActor,
  orderId: string,
  deps: ChangeOrderDependencies,
  change: DecideChange,
): Promise<PlannedOrderChange> {
  const { record, user } = await requireOrder(scope, orderId, deps);
  const at = isoNow();
  const changed = await change(record, at, user);
  if (!changed) return { order: record.order, write: async () => undefined };
  const { items = [], owner = user, resultSample = null, ...rest } = changed;
  const after = { ...record, ...rest };
  const { outbox } = deps;
  const events = orderEvents(record, after.order, { ...orderEventOptions(team, owner), resultSample });
  if (events.length > 0 && !outbox) throw new Error("a status change without an outbox for its events");
  const written = [
    deps.orders.updateItem(scope, record, after),
    ...items,
    ...(outbox ? events.map((event) => outbox.appendItem(event, at)) : []),
  ];
  return { order: after.order, write: (more = []) => deps.commit([...written, ...more]) };
}

/** Retries an attempt that fails on a concurrent write, up to 20 times (optimistic concurrency). */
export const retryOnConflict = <T>(attempt: () => Promise<T>): Promise<T> =>
  retryConditionFailed(attempt, MAX_ATTEMPTS);

/**
 * Changes an order and records its events in one transaction.
 * @returns the order after the change. @throws NotFound, and the errors of `change`.
 */
export function changeOrder(
  changer: OrderActor,
  orderId: string,
  deps: ChangeOrderDependencies,
  change: DecideChange,
): Promise<Order> {
  return retryOnConflict(async () => {
    const { order, write } = await planOrderChange(changer, orderId, deps, change);
    await write();
    return order;
  });
}

/** {@link changeOrder} for a command of a team. @throws NotPossible if the current state does not allow the command. */
export function executeOrderCommand(...given: Parameters<typeof changeOrder>): Promise<Order> {
  return changeOrder(...given).catch((error) => {
    throw toNotPossible(error);
  });
}

/** Maps the refusal of a command by an order or appointment to NotPossible. Returns other errors as they are. */
export function toNotPossible(error: unknown): unknown {
  const isRefused = [OrderTransitionRefused, OrderCommandRefused, AppointmentRefused].some(
    (kind) => error instanceof kind,
  );
  return isRefused ? new NotPossible((error as Error).message, { cause: error }) : error;
}
