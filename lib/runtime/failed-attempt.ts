import { exhaustedEvent } from "../events/data-events.ts";
import {
  type Attempt,
  attemptMessageFor,
  attemptsOfSchedule,
  type Delivery,
  QUARANTINE_MS,
  retryDelayMs,
} from "../events/delivery.ts";
import { type EndpointHealth, isFailingTooLong, isToBeParked } from "../events/endpoint-health.ts";
import { eventBody } from "../events/envelope.ts";
import { isTestEvent } from "../events/event-id.ts";
import { heldUntil } from "../events/retry-after.ts";
import type { DisabledReason } from "../events/webhook-endpoint.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { EndpointHealthStore } from "../store/endpoint-health.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import { lookAt } from "./attempt-queue.ts";
import { isoNow, ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import type { AttemptResult } from "./webhook-post.ts";

/** A failed attempt. */
export interface FailedAttempt {
  readonly scope: TeamScope;
  readonly delivery: Delivery;
  /** All attempts, including this one. */
  readonly attempts: readonly Attempt[];
  readonly fence: number;
  readonly health: EndpointHealth;
  readonly result: AttemptResult;
  readonly isProbe: boolean;
  readonly isAmbiguous: boolean;
  /** End of the attempt, epoch ms. */
  readonly endedMs: number;
  /** The sent body, JSON text. */
  readonly body: string;
}

/** Dependencies of handling a failed attempt. */
export interface FailedAttemptUses {
  readonly deliveries: DeliveryStore;
  readonly webhookEndpoints: WebhookEndpointStore;
  readonly endpointHealth: EndpointHealthStore;
  readonly webhookAttempts: Queue;
  readonly outbox: OutboxStore;
}

/** Returns the delivery with its attempts and the fencing token of the lease. */
const leased = ({ delivery, attempts, fence }: FailedAttempt) => ({ ...delivery, attempts: [...attempts], fence });

/** Updates the endpoint's health after a failed attempt, then retries or ends the delivery. */
export async function carryOn(failed: FailedAttempt, uses: FailedAttemptUses): Promise<void> {
  const { delivery, result, endedMs } = failed;
  if (result.status === 410) return disable(failed, "gone", uses);
  const heldMs = heldUntil(result.status, result.retryAfter, endedMs);
  const eventId = heldMs === undefined ? delivery.event_id : undefined;
  const health = await uses.endpointHealth.noteFailure(delivery, eventId, endedMs, failed.health);
  if (heldMs !== undefined) await uses.endpointHealth.hold(delivery, heldMs);
  if (isFailingTooLong(health, endedMs)) return disable(failed, "failing", uses);
  if (isToBeParked(health)) await uses.endpointHealth.park(delivery, endedMs);
  if (failed.isProbe) return uses.deliveries.noteProbe(leased(failed), endedMs);
  const isPlanned = await planNext(failed, heldMs, uses);
  if (!isPlanned) await giveUp(failed, uses);
}

/** Disables an endpoint. Its other deliveries end as they come due, and held ones from now on. */
async function disable(failed: FailedAttempt, reason: DisabledReason, uses: FailedAttemptUses): Promise<void> {
  const { scope, delivery, health, endedMs } = failed;
  await uses.webhookEndpoints.disable(scope, delivery.endpoint_id, reason, isoNow());
  await uses.deliveries.end(leased(failed), "cancelled", reason);
  await uses.endpointHealth.reset(delivery, health, endedMs);
}

/** Schedules the next attempt. @returns false if the schedule is exhausted. */
async function planNext(failed: FailedAttempt, heldMs = 0, { deliveries, webhookAttempts }: FailedAttemptUses) {
  const { delivery, attempts, isAmbiguous, endedMs } = failed;
  const delayMs = retryDelayMs(attemptsOfSchedule(attempts, delivery), ports().ids.bytes(1).readUInt8() / 256);
  if (delayMs === undefined) return false;
  const nextMs = endedMs + Math.max(delayMs, isAmbiguous ? QUARANTINE_MS : 0, heldMs - endedMs);
  await deliveries.retry(leased(failed), endedMs, nextMs);
  await lookAt(webhookAttempts, attemptMessageFor(delivery), nextMs);
  return true;
}

/** Ends a delivery after its last attempt and records an event. That event itself and tests cause no further event. */
async function giveUp(failed: FailedAttempt, uses: FailedAttemptUses): Promise<void> {
  if (!isTestEvent(failed.delivery)) await tellExhausted(failed, uses);
  await uses.deliveries.end(leased(failed), "exhausted");
}

async function tellExhausted({ delivery, attempts, ...failed }: FailedAttempt, { outbox }: FailedAttemptUses) {
  const body = eventBody.parse(JSON.parse(failed.body));
  const { event_id: messageId, endpoint_id: endpointId } = delivery;
  const event = exhaustedEvent(body, { messageId, endpointId, lastStatus: attempts.at(-1)?.status ?? 0 });
  if (body.event_type !== event.reference.type) await outbox.add(event, isoNow());
}
