import { eventBody } from "../../events/catalogue/envelope.ts";
import { isTestEvent } from "../../events/catalogue/event-id.ts";
import { exhaustedEvent } from "../../events/constructors/data-events.ts";
import {
  type Attempt,
  currentScheduleAttempts,
  type Delivery,
  QUARANTINE_MS,
  retryDelayMs,
  toAttemptMessage,
} from "../../events/webhooks/delivery.ts";
import { type EndpointHealth, shouldDisable, shouldSuspend } from "../../events/webhooks/endpoint-health.ts";
import { parseRetryAfter } from "../../events/webhooks/retry-after.ts";
import type { DisabledReason } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { enqueueAttempt } from "./attempt-queue.ts";
import type { AttemptResult } from "./post-webhook.ts";

/** A delivery with an attempt. `unstored` is the delivery as planned if this is its first attempt, before its item. */
export type AttemptedDelivery = Delivery & { readonly unstored?: Delivery };

/** A failed attempt. */
export interface FailedAttempt {
  readonly scope: TeamScope;
  readonly delivery: AttemptedDelivery;
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
export type FailedAttemptDependencies = Dependencies<
  "deliveries" | "webhookEndpoints" | "endpointHealth" | "webhookAttempts" | "outbox"
>;

/** Returns the delivery with its attempts and the fencing token of the lease. */
const withFencingToken = ({ delivery, attempts, fence }: FailedAttempt) => ({
  ...delivery,
  attempts: [...attempts],
  fence,
});

/**
 * Updates the endpoint's health after a failed attempt, then retries or ends the delivery.
 * @returns whether the attempt is recorded.
 */
export async function handleFailedAttempt(failed: FailedAttempt, deps: FailedAttemptDependencies): Promise<boolean> {
  const { delivery, result, endedMs } = failed;
  if (result.status === 410) return disableEndpoint(failed, "gone", deps);
  const heldMs = parseRetryAfter(result.status, result.retryAfter, endedMs);
  const eventId = heldMs === undefined ? delivery.event_id : undefined;
  const health = await deps.endpointHealth.recordFailure(delivery, eventId, endedMs, failed.health);
  if (heldMs !== undefined) await deps.endpointHealth.pauseUntil(delivery, heldMs);
  if (shouldDisable(health, endedMs)) return disableEndpoint(failed, "failing", deps);
  if (shouldSuspend(health)) await deps.endpointHealth.suspend(delivery, endedMs);
  if (failed.isProbe) return deps.deliveries.recordFailedProbe(withFencingToken(failed), endedMs);
  return (await scheduleRetry(failed, heldMs, deps)) ?? markExhausted(failed, deps);
}

/** Disables an endpoint. Its other deliveries end as they come due, and held ones from now on. */
async function disableEndpoint(
  failed: FailedAttempt,
  reason: DisabledReason,
  deps: FailedAttemptDependencies,
): Promise<boolean> {
  const { scope, delivery, health, endedMs } = failed;
  await deps.webhookEndpoints.disable(scope, delivery.endpoint_id, reason, isoNow());
  const isRecorded = await deps.deliveries.complete(withFencingToken(failed), "cancelled", reason);
  await deps.endpointHealth.clearFailures(delivery, health, endedMs);
  return isRecorded;
}

/** Schedules the next attempt. @returns whether the failed one is recorded; undefined if the schedule is exhausted. */
async function scheduleRetry(
  failed: FailedAttempt,
  heldMs = 0,
  { deliveries, webhookAttempts }: FailedAttemptDependencies,
): Promise<boolean | undefined> {
  const { delivery, attempts, isAmbiguous, endedMs } = failed;
  const delayMs = retryDelayMs(currentScheduleAttempts(attempts, delivery), ports().ids.bytes(1).readUInt8() / 256);
  if (delayMs === undefined) return undefined;
  const nextMs = endedMs + Math.max(delayMs, isAmbiguous ? QUARANTINE_MS : 0, heldMs - endedMs);
  const isRecorded = await deliveries.scheduleRetry(withFencingToken(failed), endedMs, nextMs);
  await enqueueAttempt(webhookAttempts, toAttemptMessage(delivery), nextMs);
  return isRecorded;
}

/** Ends a delivery after its last attempt and records an event. That event itself and tests cause no further event. */
async function markExhausted(failed: FailedAttempt, deps: FailedAttemptDependencies): Promise<boolean> {
  if (!isTestEvent(failed.delivery)) await recordExhaustedEvent(failed, deps);
  return deps.deliveries.complete(withFencingToken(failed), "exhausted");
}

async function recordExhaustedEvent(
  { delivery, attempts, ...failed }: FailedAttempt,
  { outbox }: FailedAttemptDependencies,
) {
  const body = eventBody.parse(JSON.parse(failed.body));
  const { event_id: messageId, endpoint_id: endpointId } = delivery;
  const event = exhaustedEvent(body, { messageId, endpointId, lastStatus: attempts.at(-1)?.status ?? 0 });
  if (body.event_type !== event.reference.type) await outbox.append(event, isoNow());
}
