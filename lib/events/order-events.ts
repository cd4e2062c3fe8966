import { currentLevel, type Order } from "../domain/orders/order-move.ts";
import type { UserRecord } from "../domain/user.ts";
import { compose, type NewEvent } from "./compose-event.ts";

/** What becomes of the events of an order. */
interface Telling {
  /** Whose order it is. */
  readonly user: UserRecord;
  /** Whether the team wants to be told of partial results. */
  readonly tellsPartialResults: boolean;
}

/**
 * The events of a change of an order: one for each status that it got, with the order as it was then; and one more where
 * a result became critical. @param before undefined for an order that was just placed.
 */
export function orderEvents(before: Order | undefined, after: Order, telling: Telling): NewEvent[] {
  const known = before?.events.length ?? 0;
  const statuses = after.events.slice(known).map((_, index) => asOf(after, known + index + 1));
  const told = statuses.filter((order) => telling.tellsPartialResults || currentLevel(order) !== "partial_results");
  const events = told.map((order) => {
    const type = order.events.length === 1 ? "labtest.order.created" : "labtest.order.updated";
    return compose(telling.user, type, order.id, order.last_event.id, order);
  });
  const isCritical = after.interpretation === "critical" && before?.interpretation !== "critical";
  return isCritical ? [...events, criticalEvent(after, telling.user)] : events;
}

/** The event that tells an order as it is now once more. @param round counts how often that was asked for. */
export function orderToldAgain(order: Order, user: UserRecord, round: string): NewEvent {
  const type = order.events.length === 1 ? "labtest.order.created" : "labtest.order.updated";
  return compose(user, type, `${order.id}#${round}`, order.last_event.id, order, order.id);
}

/** The order as it was when it had so many events. */
function asOf(order: Order, count: number): Order {
  const events = order.events.slice(0, count);
  const last_event = events.at(-1) ?? order.last_event;
  if (count === order.events.length) return order;
  const { created_at, status } = last_event;
  return { ...order, events, last_event, status: status.slice(0, status.indexOf(".")), updated_at: created_at };
}

function criticalEvent(order: Order, user: UserRecord): NewEvent {
  const { id: order_id, sample_id, status, interpretation, team_id, user_id, created_at, updated_at } = order;
  const about = { order_id, sample_id: sample_id ?? "", status: status ?? "", interpretation };
  const data = { ...about, team_id, user_id, created_at, updated_at };
  return compose(user, "labtest.result.critical", `${order_id}#critical`, order.last_event.id, data, order_id);
}
