import * as z from "zod";
import { deliveries } from "../contract/resources.ts";
import { type Delivery, delivery } from "../events/delivery.ts";
import type { EndpointName } from "../events/endpoint-health.ts";
import type { Table } from "./table.ts";

/** Pending deliveries are spread over this many partitions of a sparse index. */
const SHARDS = 8;
/** How long after its instant a delivery that a queue message should have woken is looked for by the sweeper. */
const GRACE_MS = 60_000;
/** The longest delay of a queue message; later attempts are left to the sweeper alone. */
export const LONGEST_QUEUE_DELAY_MS = 900_000;
/** Deliveries that one sweep wakes at most in each partition; it has less than a minute. */
const SWEPT_AT_ONCE = 500;

const shard = (number: number) => `${deliveries.keyPrefix}${number}`;

/** The partition of the index in which a pending delivery is found. */
export const pendingShard = (eventId: string): string => shard(eventId.charCodeAt(eventId.length - 1) % SHARDS);

/** The partition in which the parked deliveries of an endpoint are found, those first that have waited longest. */
export const parkedShard = ({ team_id, endpoint_id }: EndpointName): string =>
  `${deliveries.keyPrefix}parked#${team_id}#${endpoint_id}`;

/** When the sweeper has to look (ISO 8601): at the instant itself if no queue message will, else a little later. */
export const dueAtOf = (nowMs: number, nextMs: number): string =>
  new Date(nextMs - nowMs > LONGEST_QUEUE_DELAY_MS ? nextMs : nextMs + GRACE_MS).toISOString();

const dueItem = delivery.extend({ due_at: z.string() });

const query = (partition: string) => ({
  IndexName: "due",
  KeyConditionExpression: "due_shard = :shard",
  ExpressionAttributeValues: { ":shard": partition },
});

/** Pending deliveries that the sweeper has to wake at an instant (epoch ms), and when the next one will be. */
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

/** The parked deliveries of an endpoint that have waited longest, `most` at most. */
export async function findParked(table: Table, endpoint: EndpointName, most: number): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const item of table.all({ ...query(parkedShard(endpoint)), Limit: most }, delivery)) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
