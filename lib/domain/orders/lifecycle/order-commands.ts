import type { LowLevelStatus } from "./order-status.ts";
import { lowLevelStatus, type Order, OrderTransitionRefused, transitionTo, workflowOf } from "./order-transitions.ts";

/** The current state of an order does not allow a command; the message gives the reason. */
export class OrderCommandRefused extends Error {
  override readonly name = "OrderCommandRefused";
}

/** Low-level statuses in which an order awaits dispatch. */
const AWAITING_DISPATCH: readonly LowLevelStatus[] = ["ordered", "awaiting_registration"];

/**
 * Changes the dispatch date of an order; null dispatches the order at once.
 * @throws OrderCommandRefused for an order without a dispatch date, a dispatched order, or a date in the past.
 */
export function rescheduleDispatch(order: Order, activateBy: string | null, today: string, at: string): Order {
  const level = lowLevelStatus(order);
  if (!AWAITING_DISPATCH.includes(level))
    throw new OrderCommandRefused(`The order was already dispatched: its status is ${level}.`);
  if (order.activate_by === null) throw new OrderCommandRefused("The order has no activation date to change.");
  if (activateBy !== null && activateBy < today) throw new OrderCommandRefused("The activation date is in the past.");
  return { ...order, activate_by: activateBy, updated_at: at };
}

/** Cancels an order. @throws OrderTransitionRefused once the sample is in transit or the order is finished. */
export const cancelOrder = (order: Order, at: string): Order => transitionTo(order, "cancelled", at);

/** Marks the draw of an on-site collection as completed. @throws OrderTransitionRefused for another collection method. */
export function completeDraw(order: Order, at: string): Order {
  if (workflowOf(order) !== "on_site_collection") throw new OrderTransitionRefused(order, "draw_completed", " by hand");
  return transitionTo(order, "draw_completed", at);
}

/** Tracking fields of a test kit's outbound and inbound shipments. */
export type ShipmentTracking = Partial<Omit<NonNullable<ShipmentOf<Order["details"]>>, "id">>;
type ShipmentOf<Details> = Details extends { data: { shipment: infer Shipment } | null } ? Shipment : never;

/** Updates the shipment of a test kit. An order without a shipment stays unchanged. */
export function withShipmentTracking(order: Order, tracking: ShipmentTracking, at: string): Order {
  if (order.details.type !== "testkit" || !order.details.data?.shipment) return order;
  const { data } = order.details;
  const shipment = { ...order.details.data.shipment, ...tracking };
  return { ...order, details: { type: "testkit", data: { ...data, shipment, updated_at: at } }, updated_at: at };
}

/** Sets the sample id of an order; an existing sample id stays. */
export const withSampleId = (order: Order, sampleId: string): Order =>
  order.sample_id === null ? { ...order, sample_id: sampleId } : order;
