import type { Order } from "./lifecycle/order-transitions.ts";

/** Stored order with its internal fields. */
export interface OrderRecord {
  readonly order: Order;
  /** Number of changes, for optimistic concurrency. */
  readonly revision: number;
  /** Key of the stored placement; null for an order that no laboratory receives. */
  readonly placement_key: string | null;
  /** Requisition number at the laboratory; null until the laboratory has the order. */
  readonly requisition: string | null;
}
