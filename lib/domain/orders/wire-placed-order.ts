import * as z from "zod";
import type { Order } from "./lifecycle/order-transitions.ts";
import { wireOrder } from "./wire-order.ts";

/** Order with a message about the completed operation. */
export const wirePlacedOrder = z
  .object({ order: wireOrder, status: z.string(), message: z.string() })
  .meta({ id: "PlacedOrder" });

/** Response to a request that created or changed an order. */
export const toPlacedOrder = (order: Order, message: string) => ({ order, status: "success", message });

/** Path parameters of the routes of one order. */
export const orderParams = z.object({
  order_id: z.guid().toLowerCase().meta({ description: "Id of the order in this service" }),
});

/** Time to live of an idempotency key of a request that places an order. */
export const ORDER_IDEMPOTENCY_KEY_TTL_MS = 24 * 60 * 60 * 1000;
