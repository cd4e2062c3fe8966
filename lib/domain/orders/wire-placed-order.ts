import * as z from "zod";
import type { Order } from "./order-move.ts";
import { wireOrder } from "./wire-order.ts";

/** An order with what was done about it, for people. */
export const wirePlacedOrder = z
  .object({ order: wireOrder, status: z.string(), message: z.string() })
  .meta({ id: "PlacedOrder" });

/** The answer to a request that made or changed an order. */
export const toPlacedOrder = (order: Order, message: string) => ({ order, status: "success", message });

/** Path of everything that belongs to one order. */
export const orderParams = z.object({
  order_id: z.guid().toLowerCase().meta({ description: "The service's id of the order" }),
});

/** How long the answer to a request that places an order is kept for its idempotency key. */
export const PLACING_KEPT_MS = 24 * 60 * 60 * 1000;
