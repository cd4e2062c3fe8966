import * as z from "zod";
import { deliveries } from "../../contract/resources.ts";
import { MAX_QUEUE_DELAY_MS } from "../../domain/shared/durations.ts";
import { type Delivery, delivery } from "../../events/webhooks/delivery.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { DueShards, dueQuery } from "../due-index.ts";
import type { Table } from "../table.ts";

/** Delay after which the sweeper dispatches a delivery whose queue message was lost. */
const GRACE_MS = 60_000;

/** Index partitions of pending deliveries. */
export const pendingShards = new DueShards(deliveries.keyPrefix, { count: 8, limit: 500 });

/** Returns the index partition of an endpoint's held deliveries, the longest held first. */
export const heldShard = ({ team_id, endpoint_id }: EndpointReference): string =>
  `${deliveries.keyPrefix}parked#${team_id}#${endpoint_id}`;

/**
 * Returns the sweeper's due time (ISO 8601): the attempt's own time if no queue message covers it, otherwise a little
 * later.
 */
export const sweepDueAt = (nowMs: number, nextMs: number): string =>
  new Date(nextMs - nowMs > MAX_QUEUE_DELAY_MS ? nextMs : nextMs + GRACE_MS).toISOString();

/** A pending delivery in the index. */
export const dueDelivery = delivery.extend({ due_at: z.string() });

/** Returns up to `most` held deliveries of an endpoint, the longest held first. */
export async function findHeldDeliveries(table: Table, endpoint: EndpointReference, most: number): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const item of table.queryAll(dueQuery(heldShard(endpoint), most), delivery)) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
