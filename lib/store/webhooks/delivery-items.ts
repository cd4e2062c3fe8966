import { deliveries } from "../../contract/resources.ts";
import type { Delivery, DeliveryReference } from "../../events/webhooks/delivery.ts";
import type { Item, Key } from "../item.ts";
import { pendingShards, sweepDueAt } from "./due-deliveries.ts";
import { endpointDeliveriesPartition } from "./endpoint-deliveries.ts";

const KEPT_S = 30 * 24 * 60 * 60;

/** Returns the key of a delivery. */
export const deliveryKey = ({ team_id, user_id, endpoint_id, event_id }: DeliveryReference): Key => ({
  pk: `${deliveries.keyPrefix}${team_id}#${user_id}`,
  sk: `${endpoint_id}#${event_id}`,
});

/** Returns the attributes of a delivery that is pending until an instant. Instants are epoch milliseconds. */
export const pendingUntil = (eventId: string, nowMs: number, nextMs: number) => ({
  state: "pending",
  next_attempt_at: new Date(nextMs).toISOString(),
  due_shard: pendingShards.of(eventId),
  due_at: sweepDueAt(nowMs, nextMs),
});

/** Returns the item of a new delivery: with its endpoint's index, outside of the index of due deliveries. */
export const newDeliveryItem = (planned: Delivery): Item & Key => ({
  ...deliveryKey(planned),
  ...planned,
  of_endpoint: endpointDeliveriesPartition(planned),
  expires_at: Math.floor(Date.parse(planned.planned_at) / 1000) + KEPT_S,
});
