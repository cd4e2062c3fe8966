import type { Order } from "./order-move.ts";

/** An order with what the service keeps of it beside what answers show. */
export interface OrderRecord {
  readonly order: Order;
  /** Counts the changes, so that of two at the same time the later one sees the earlier. */
  readonly revision: number;
  /** Where its placement lies; null for an order that no laboratory is told of. */
  readonly placement_key: string | null;
  /** The number under which a laboratory has it; null until one does. */
  readonly requisition: string | null;
}
