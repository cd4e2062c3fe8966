import { highLevelPartOf } from "../../domain/orders/lifecycle/order-status.ts";
import { lowLevelStatus, type Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { composeEvent, type NewEvent } from "./compose-event.ts";

/** Options for the events of an order. */
interface OrderEventOptions {
  /** The user of the order. */
  readonly user: UserRecord;
  /** Whether the team receives events of partial results. */
  readonly sendsPartialResults: boolean;
  /** Sample of a new result; null if it names none. */
  readonly resultSample?: string | null;
}

/**
 * Returns the events of an order change: one for each new status, with the order at that status, and one if a result
 * became critical.
 * @param before undefined for a new order.
 */
export function orderEvents(
  before: Pick<OrderRecord, "order" | "revision"> | undefined,
  after: Order,
  options: OrderEventOptions,
): NewEvent[] {
  const known = before?.order.events.length ?? 0;
  const statuses = after.events.slice(known).map((_, index) => orderAtEvent(after, known + index + 1));
  const published = statuses.filter((order) => isPublished(order, options));
  const events = published.map((order) => {
    const type = order.events.length === 1 ? "labtest.order.created" : "labtest.order.updated";
    return composeEvent(options.user, type, order.id, order.last_event.id, order);
  });
  const isCritical = after.interpretation === "critical" && before?.order.interpretation !== "critical";
  return isCritical ? [...events, criticalEvent(after, before?.revision ?? 0, options)] : events;
}

/** Whether the status of an order has an event: partial results only for teams that receive them. */
export const isPublished = (order: Order, { sendsPartialResults }: Pick<OrderEventOptions, "sendsPartialResults">) =>
  sendsPartialResults || lowLevelStatus(order) !== "partial_results";

/** Returns another event with the current order. @param round identifies the repetition. */
export function repeatedOrderEvent(order: Order, user: UserRecord, round: string): NewEvent {
  const type = order.events.length === 1 ? "labtest.order.created" : "labtest.order.updated";
  return composeEvent(user, type, `${order.id}#${round}`, order.last_event.id, order, order.id);
}

/** Returns the order at its `count`th event. */
function orderAtEvent(order: Order, count: number): Order {
  const events = order.events.slice(0, count);
  const last_event = events.at(-1) ?? order.last_event;
  if (count === order.events.length) return order;
  const { created_at, status } = last_event;
  return { ...order, events, last_event, status: highLevelPartOf(status), updated_at: created_at };
}

/**
 * The event of a critical result. Its version increases with each change of the order: the partial results of a kit add no
 * status. It exceeds every id of a status, which was the version at first.
 */
function criticalEvent(order: Order, revision: number, { user, resultSample }: OrderEventOptions): NewEvent {
  const version = order.last_event.id + revision;
  const { id: order_id, sample_id, status, interpretation, team_id, user_id, created_at, updated_at } = order;
  const about = { order_id, sample_id: sample_id ?? resultSample ?? "", status: status ?? "", interpretation };
  const data = { ...about, team_id, user_id, created_at, updated_at };
  return composeEvent(user, "labtest.result.critical", `${order_id}#critical`, version, data, order_id);
}
