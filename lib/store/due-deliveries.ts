import * as z from "zod";
import { deliveries } from "../contract/resources.ts";
import { type Delivery, delivery } from "../events/delivery.ts";
import type { EndpointName } from "../events/endpoint-health.ts";
import type { Table } from "./table.ts";

/** Number of index partitions for pending deliveries. */
const SHARDS = 8;
/** Delay after which the sweeper dispatches a delivery whose queue message was lost. */
const GRACE_MS = 60_000;
/** Maximum delay of a queue message. Only the sweeper dispatches later attempts. */
export const LONGEST_QUEUE_DELAY_MS = 900_000;
/** Maximum deliveries of one partition in one sweep. A sweep has less than a minute. */
const SWEPT_AT_ONCE = 500;

const shard = (number: number) => `${deliveries.keyPrefix}${number}`;

/** Returns the index partition of a pending delivery. */
export const pendingShard = (eventId: string): string => shard(eventId.charCodeAt(eventId.length - 1) % SHARDS);

/** Returns the index partition of an endpoint's held deliveries, the longest held first. */
export const parkedShard = ({ team_id, endpoint_id }: EndpointName): string =>
  `${deliveries.keyPrefix}parked#${team_id}#${endpoint_id}`;

/**
 * Returns the sweeper's due time (ISO 8601): the attempt's own time if no queue message covers it, otherwise a little
 * later.
 */
export const dueAtOf = (nowMs: number, nextMs: number): string =>
  new Date(nextMs - nowMs > LONGEST_QUEUE_DELAY_MS ? nextMs : nextMs + GRACE_MS).toISOString();

const dueItem = delivery.extend({ due_at: z.string() });

const query = (partition: string) => ({
  IndexName: "due",
  KeyConditionExpression: "due_shard = :shard",
  ExpressionAttributeValues: { ":shard": partition },
});

/**
 * Returns pending deliveries that the sweeper must dispatch at an instant (epoch ms), and the due time of the next one.
 */
export async function findDue(
  table: Table,
  nowMs: number,
): Promise<{ due: Delivery[]; nextDueAt: string | undefined }> {
  const found: Delivery[] = [];
  const now = new Date(nowMs).toISOString();
  let nextDueAt: string | undefined;
  for (let number = 0; number < SHARDS; number++) {
    const most = found.length + SWEPT_AT_ONCE;
    for await (const item of table.all({ ...query(shard(number)), Limit: SWEPT_AT_ONCE }, dueItem)) {
      if (item.due_at > now || found.length === most) {
        if (nextDueAt === undefined || item.due_at < nextDueAt) nextDueAt = item.due_at;
        break;
      }
      found.push(item);
    }
  }
  return { due: found, nextDueAt };
}

/** Returns up to `most` held deliveries of an endpoint, the longest held first. */
export async function findParked(table: Table, endpoint: EndpointName, most: number): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const item of table.all({ ...query(parkedShard(endpoint)), Limit: most }, delivery)) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
