import { batchGetItem, queryItems, sendMessage, updateItem } from "../../contract/access.ts";
import { webhookAttempts } from "../../contract/queues.ts";
import { deliveries } from "../../contract/resources.ts";
import { type Delivery, toAttemptMessage } from "../../events/webhooks/delivery.ts";
import { isSubscribed } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import { deliveryPosition } from "../../store/webhooks/endpoint-deliveries.ts";
import { enqueueAttempts } from "./attempt-queue.ts";
import type { StepContext, StepResult } from "./webhook-task-step.ts";

/** Dependencies of resending failed deliveries. */
export type RecoverDeliveriesDependencies = Dependencies<"deliveries" | "webhookAttempts">;

/** Grants of {@link recoverDeliveries}. */
export const recoverDeliveriesAccess = [
  queryItems(deliveries, "by_endpoint"),
  batchGetItem(deliveries),
  updateItem(deliveries),
  sendMessage(webhookAttempts),
] as const;

/** Deliveries that one step examines. */
const DELIVERIES_PER_STEP = 30;
/** States of a delivery that can have failed. A held delivery continues by itself. */
const failedStates = ["pending", "exhausted", "cancelled"] as const;

/** Whether an attempt failed, or the delivery ended without an attempt. */
const hasFailed = ({ state, attempts }: Delivery) =>
  state === "exhausted" || state === "cancelled" || (state === "pending" && attempts.length > 0);

/** Resends failed deliveries of an endpoint whose types its filter selects, oldest first. A task resends each delivery once. */
export async function recoverDeliveries(
  { task, endpoint }: Pick<StepContext, "task" | "endpoint">,
  { deliveries, webhookAttempts }: RecoverDeliveriesDependencies,
): Promise<StepResult> {
  const after = task.position.length === 0 ? undefined : deliveryPosition.parse(task.position);
  const { since, until } = task;
  const { found, next } = await deliveries.listByEndpoint(endpoint, {
    since,
    until,
    after,
    limit: DELIVERIES_PER_STEP,
  });
  const known = await deliveries.getMany(found);
  const failed = known.filter((delivery) => hasFailed(delivery) && isSubscribed(endpoint, delivery.event.type));
  const nowMs = ports().clock.now();
  const resent: Delivery[] = [];
  for (const delivery of failed) {
    const startedMs = Date.parse(task.created_at);
    if (await deliveries.resend(delivery, nowMs, failedStates, startedMs)) resent.push(delivery);
  }
  const messages = resent.map((delivery) => toAttemptMessage(delivery));
  await enqueueAttempts(webhookAttempts, messages);
  return { scanned: found.length, sent: resent.length, next };
}
