import { attemptMessageFor, type Delivery } from "../events/delivery.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import { deliveryPlace } from "../store/endpoint-deliveries.ts";
import { lookAtAll } from "./attempt-queue.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import type { StepContext, StepResult } from "./webhook-tasks.ts";

/** Dependencies of resending failed deliveries. */
export interface RecoveringUses {
  readonly deliveries: DeliveryStore;
  readonly webhookAttempts: Queue;
}

/** Deliveries that one step examines. */
const LOOKED_AT = 30;
/** States of a delivery that can have failed. A held delivery continues by itself. */
const failedStates = ["pending", "exhausted", "cancelled"] as const;

/** Whether an attempt failed, or the delivery ended without an attempt. */
const hasFailed = ({ state, attempts }: Delivery) =>
  state === "exhausted" || state === "cancelled" || (state === "pending" && attempts.length > 0);

/** Resends failed deliveries of an endpoint, oldest first. A task resends each delivery once. */
export async function recoverSome(
  { task, endpoint }: Pick<StepContext, "task" | "endpoint">,
  { deliveries, webhookAttempts }: RecoveringUses,
): Promise<StepResult> {
  const after = task.position.length === 0 ? undefined : deliveryPlace.parse(task.position);
  const { since, until } = task;
  const { found, next } = await deliveries.ofEndpoint(endpoint, { since, until, after, most: LOOKED_AT });
  const failed = (await deliveries.getMany(found)).filter(hasFailed);
  const nowMs = ports().clock.now();
  const resent: Delivery[] = [];
  for (const delivery of failed) {
    const startedMs = Date.parse(task.created_at);
    if (await deliveries.resend(delivery, nowMs, failedStates, startedMs)) resent.push(delivery);
  }
  const messages = resent.map((delivery) => attemptMessageFor(delivery));
  await lookAtAll(webhookAttempts, messages);
  return { lookedAt: found.length, sent: resent.length, next };
}
