import { businessMetrics } from "../../domain/operations/metrics.ts";
import { formatBody } from "../../events/webhooks/cloud-event.ts";
import {
  ATTEMPT_TIMEOUT_MS,
  type Attempt,
  appendAttempt,
  isAmbiguous,
  isDelivered,
  QUARANTINE_MS,
} from "../../events/webhooks/delivery.ts";
import { type EndpointHealth, failureKind, hasRecordedFailures } from "../../events/webhooks/endpoint-health.ts";
import { headersContext, secretContext, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { webhookHeaders } from "../../events/webhooks/webhook-headers.ts";
import { recordServiceAccess } from "../../runtime/audit/record-service-access.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import { continueTrace } from "../../runtime/span.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Lease } from "../../store/webhooks/lease-queue.ts";
import { type AttemptedDelivery, type FailedAttemptDependencies, handleFailedAttempt } from "./failed-attempt.ts";
import { type AttemptResult, postWebhook } from "./post-webhook.ts";

/** Dependencies of an attempt. */
export type MakeAttemptDependencies = FailedAttemptDependencies &
  Dependencies<"secrets" | "usage"> & { readonly accessLog: Pick<AccessLogStore, "record"> };

/** An attempt with its lease, endpoint and current body. */
export interface PreparedAttempt {
  readonly scope: TeamScope;
  readonly lease: Pick<Lease, "fence" | "untilMs">;
  readonly endpoint: WebhookEndpoint;
  readonly health: EndpointHealth;
  readonly delivery: AttemptedDelivery;
  /** The current body, JSON text. */
  readonly body: string;
  readonly isProbe: boolean;
  readonly log: Log;
}

/** The end of an attempt. */
export interface AttemptEnd {
  /** Whether the endpoint's health is as it was read before the attempt. */
  readonly isHealthUnchanged: boolean;
  /** Whether the attempt may still take effect at the receiver. */
  readonly isAmbiguous: boolean;
  /** Whether its delivery shows the attempt. A delivery that has ended, or knows a later attempt, stays as it is. */
  readonly isRecorded: boolean;
  /** Epoch milliseconds. */
  readonly endedMs: number;
}

/**
 * Sends a delivery and records the outcome: count, delivery, health of the endpoint.
 * @throws Error without a request if it could take effect after the end of the lease. The message comes again.
 */
export async function makeAttempt(prepared: PreparedAttempt, deps: MakeAttemptDependencies): Promise<AttemptEnd> {
  const { scope, lease, endpoint, health, delivery, body, isProbe, log } = prepared;
  const startedMs = ports().clock.now();
  const result = await sendSigned(prepared, deps);
  const endedMs = ports().clock.now();
  const { event_id, endpoint_id } = delivery;
  log.info("webhook attempted", { event_id, endpoint_id, status: result.status, error: result.error ?? undefined });
  const isTaken = isDelivered(result);
  log.metric(businessMetrics.attempts, 1, [{ outcome: isTaken ? "delivered" : "failed" }]);
  // Usage counts every attempt, also one that a crash after this line repeats.
  await deps.usage.addAttempt(scope, { outcome: isTaken ? "delivered" : "failed", eventId: event_id }, endedMs);
  // A refused probe ends the suspension, so that its delivery continues with its own schedule.
  const staysHeld = isProbe && (isTaken || failureKind(result.status, false) !== "refusal");
  const attempts = appendAttempt(delivery.attempts, toAttempt(result, startedMs, staysHeld));
  const isNews = await deps.endpointHealth.recordDuration(endpoint, result.durationMs, endedMs, health);
  const isHealthUnchanged = isTaken && !isNews && !hasRecordedFailures(health);
  const about = { isAmbiguous: isAmbiguous(result), endedMs };
  if (isTaken) {
    const isRecorded = await deps.deliveries.complete({ ...delivery, attempts, fence: lease.fence }, "delivered");
    if (hasRecordedFailures(health))
      await deps.endpointHealth.clearFailures(endpoint, health, endedMs, result.durationMs);
    return { ...about, isHealthUnchanged, isRecorded };
  }
  const failed = { scope, delivery, attempts, health, result, fence: lease.fence, isProbe: staysHeld, body, ...about };
  return { ...about, isHealthUnchanged, isRecorded: await handleFailedAttempt(failed, deps) };
}

/**
 * Records the attempt in the access log and sends the signed request. For a while after a rotation the previous secret
 * signs too.
 */
async function sendSigned(
  { scope, delivery, endpoint, body, lease }: PreparedAttempt,
  { secrets, accessLog }: MakeAttemptDependencies,
): Promise<AttemptResult> {
  const { fence } = lease;
  const { sealed_secret, previous_secret: previous, headers } = endpoint;
  const now = new Date(ports().clock.now()).toISOString();
  const valid = previous && previous.expires_at > now ? [sealed_secret, previous.sealed_secret] : [sealed_secret];
  const opened = await Promise.all(valid.map((sealed) => secrets.decrypt(sealed, secretContext(endpoint))));
  const own = headers === null ? "{}" : await secrets.decrypt(headers, headersContext(endpoint));
  const { event_id, endpoint_id, user_id } = delivery;
  const id = `${event_id}/${endpoint_id}/${fence}`;
  const about = { operation: "attemptDelivery", id, userId: user_id, target: { event_id, endpoint_id } };
  await recordServiceAccess(accessLog, scope, about);
  requireTimeLeft(lease);
  const event = { event_id, user_id, team_id: scope.teamId, event_type: delivery.event.type };
  return postWebhook({
    url: endpoint.url,
    id: event_id,
    ...formatBody(endpoint.format, event, body),
    secrets: opened,
    version: fence,
    traceparent: continueTrace(delivery.event.traceparent),
    headers: webhookHeaders.parse(JSON.parse(own)),
  });
}

/** Slow calls to stores may have used up the time between the lease and the request. */
function requireTimeLeft({ untilMs }: PreparedAttempt["lease"]): void {
  const isLate = ports().clock.now() + ATTEMPT_TIMEOUT_MS + QUARANTINE_MS > untilMs;
  if (isLate) throw new Error("the lease leaves no time for the request");
}

const toAttempt = (result: AttemptResult, startedMs: number, probe: boolean): Attempt => ({
  at: new Date(startedMs).toISOString(),
  status: result.status,
  duration_ms: result.durationMs,
  response: result.response,
  error: result.error,
  probe,
});
