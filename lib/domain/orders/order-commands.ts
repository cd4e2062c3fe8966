import { currentLevel, moveTo, type Order, OrderMoveRefused, wayOf } from "./order-move.ts";

/** What a command does not do in the present state of an order; the message says why. */
export class OrderCommandRefused extends Error {
  override readonly name = "OrderCommandRefused";
}

/** Statuses in which an order waits to be dispatched. */
const WAITING = ["ordered", "awaiting_registration"];

/**
 * The order with another day of dispatch; null dispatches it at once.
 * @throws OrderCommandRefused for an order that was made to be dispatched at once, or was dispatched, or a past day.
 */
export function reschedule(order: Order, activateBy: string | null, today: string, at: string): Order {
  const level = currentLevel(order);
  if (!WAITING.includes(level)) throw new OrderCommandRefused(`An order in ${level} has been dispatched.`);
  if (order.activate_by === null) throw new OrderCommandRefused("The order was made to be dispatched at once.");
  if (activateBy !== null && activateBy < today) throw new OrderCommandRefused("The day is in the past.");
  return { ...order, activate_by: activateBy, updated_at: at };
}

/** The order, cancelled. @throws OrderMoveRefused once the sample is on its way, or the order is over. */
export const cancelOrder = (order: Order, at: string): Order => moveTo(order, "cancelled", at);

/** The order of a collection on site, its sample taken. @throws OrderMoveRefused for another way of collecting. */
export function completeDraw(order: Order, at: string): Order {
  if (wayOf(order) !== "on_site_collection") throw new OrderMoveRefused(order, "draw_completed", " by hand");
  return moveTo(order, "draw_completed", at);
}

/** Numbers and names that couriers give a kit on its way out and back. */
export type Tracking = Partial<Omit<NonNullable<ShipmentOf<Order["details"]>>, "id">>;
type ShipmentOf<Details> = Details extends { data: { shipment: infer Shipment } | null } ? Shipment : never;

/** The order of a kit with what its couriers say. Other orders have no shipment and stay as they are. */
export function withTracking(order: Order, tracking: Tracking, at: string): Order {
  if (order.details.type !== "testkit" || !order.details.data?.shipment) return order;
  const { data } = order.details;
  const shipment = { ...order.details.data.shipment, ...tracking };
  return { ...order, details: { type: "testkit", data: { ...data, shipment, updated_at: at } }, updated_at: at };
}

/** The order with the number of its sample; a number that it has stays. */
export const withSampleId = (order: Order, sampleId: string): Order =>
  order.sample_id === null ? { ...order, sample_id: sampleId } : order;
