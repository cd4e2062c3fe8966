import { batchGetItem, queryItems } from "../../contract/access.ts";
import { deliveries } from "../../contract/resources.ts";
import { eventBody } from "../../events/catalogue/envelope.ts";
import { isTestEvent } from "../../events/catalogue/event-id.ts";
import { exhaustedEvent } from "../../events/constructors/data-events.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  type Attempt,
  currentScheduleAttempts,
  type Delivery,
  isDelivered,
  QUARANTINE_MS,
  retryDelayMs,
  toAttemptMessage,
} from "../../events/webhooks/delivery.ts";
import {
  type EndpointHealth,
  type EndpointReference,
  FAILURES_TO_SUSPEND,
  failureKind,
  shouldDisable,
  shouldSuspend,
} from "../../events/webhooks/endpoint-health.ts";
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
  /** Whether the attempt uses up none of the schedule: a probe, unless its answer ends the suspension. */
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

/** Grants of {@link handleFailedAttempt} beside those of an attempt. */
export const suspendEndpointAccess = [queryItems(deliveries, "by_endpoint"), batchGetItem(deliveries)] as const;

/** An attempt that ended this long before the first failure ran beside the failed ones, which began before that. */
const BESIDE_MS = 1_000;
/** Deliveries among which a success is looked for, newest first. */
const EXAMINED_DELIVERIES = 3 * FAILURES_TO_SUSPEND;

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
  const failure = { kind: failureKind(result.status, heldMs !== undefined), eventId: delivery.event_id };
  const health = await deps.endpointHealth.recordFailure(delivery, failure, endedMs, failed.health);
  if (heldMs !== undefined) await deps.endpointHealth.pauseUntil(delivery, heldMs);
  if (shouldDisable(health, endedMs)) return disableEndpoint(failed, "failing", deps);
  if (shouldSuspend(health)) await suspendUnlessDelivered(delivery, health, endedMs, deps);
  if (failed.isProbe) return deps.deliveries.recordFailedProbe(withFencingToken(failed), endedMs);
  return (await scheduleRetry(failed, heldMs, deps)) ?? markExhausted(failed, deps);
}

/**
 * Suspends an endpoint whose recorded failures suffice, unless a delivery succeeded since the first of them: then clears
 * them. A success that ran beside the first failure read the health before it, and so did not clear it.
 * @param nowMs epoch ms.
 */
async function suspendUnlessDelivered(
  endpoint: EndpointReference,
  health: EndpointHealth,
  nowMs: number,
  { deliveries, endpointHealth }: FailedAttemptDependencies,
): Promise<void> {
  const sinceMs = (health.first_failed_at === undefined ? nowMs : Date.parse(health.first_failed_at)) - BESIDE_MS;
  const { found } = await deliveries.listByEndpoint(endpoint, {
    since: new Date(sinceMs - ATTEMPT_TIMEOUT_MS).toISOString(),
    isNewestFirst: true,
    limit: EXAMINED_DELIVERIES,
  });
  const attempts = (await deliveries.getMany(found)).flatMap((delivery) => delivery.attempts);
  const hasSuccess = attempts.some((one) => isDelivered(one) && Date.parse(one.at) + one.duration_ms >= sinceMs);
  if (hasSuccess) await endpointHealth.clearFailures(endpoint, health, nowMs);
  else await endpointHealth.suspend(endpoint, nowMs);
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
  const { event_id: messageId, endpoint_id: endpointId, resent_at: resentAt } = delivery;
  const event = exhaustedEvent(body, { messageId, endpointId, resentAt, lastStatus: attempts.at(-1)?.status ?? 0 });
  if (body.event_type !== event.reference.type) await outbox.append(event, isoNow());
}
