import * as z from "zod";
import type { DeliveredData } from "../pulls/delivered-data.ts";
import { receivedAtOf } from "../pulls/delivered-data.ts";

/** Reference to the health of a connection. */
const connectionHealthRef = z.object({ team_id: z.string(), user_id: z.string(), provider: z.string() });
export type ConnectionHealthRef = z.output<typeof connectionHealthRef>;

/** Stored health of a connection: when to look whether data has arrived, or since when it is stale. ISO 8601. */
export const connectionHealth = connectionHealthRef.extend({
  /** Creation time of the connection, which identifies it. */
  connected_on: z.string(),
  /** Absent while the connection is stale: an arrival ends that, not a deadline. */
  due_at: z.string().optional(),
  stale_since: z.string().optional(),
});
export type ConnectionHealth = z.output<typeof connectionHealth>;

/** Time of the last arrival of data since a connection was made, epoch milliseconds. */
export function lastArrivalMs(connectedOn: string, delivered: DeliveredData | undefined): number {
  const arrivals = [...(delivered?.batches ?? [])].map(receivedAtOf).filter((ms) => Number.isFinite(ms));
  return Math.max(Date.parse(connectedOn), ...arrivals);
}
