import type { EventReference } from "../../events/catalogue/envelope.ts";
import {
  type Attempt,
  type AttemptMessage,
  appendAttempt,
  type Delivery,
  isDue,
} from "../../events/webhooks/delivery.ts";
import { hasRecordedFailures, SLOW_ATTEMPT_MS } from "../../events/webhooks/endpoint-health.ts";
import { headersContext, secretContext, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { webhookHeaders } from "../../events/webhooks/webhook-headers.ts";
import { recordServiceAccess } from "../../runtime/audit/record-service-access.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Lease } from "../../store/webhooks/delivery-leases.ts";
import { type CurrentBodyDependencies, resolveCurrentBody } from "./current-body.ts";
import { admitDelivery, admitWithinRateLimit, type DeliveryTarget } from "./delivery-gate.ts";
import {
  acquireLease,
  type DeliveryLeaseDependencies,
  needsLease,
  quarantineLease,
  releaseLease,
} from "./delivery-lease.ts";
import { type DeliverySlotDependencies, withSlot } from "./delivery-slot.ts";
import { type FailedAttemptDependencies, handleFailedAttempt } from "./failed-attempt.ts";
import { type AttemptResult, postWebhook } from "./post-webhook.ts";

/** Dependencies of an attempt. */
type AttemptDeliveryDependencies = DeliverySlotDependencies &
  DeliveryLeaseDependencies &
  CurrentBodyDependencies &
  FailedAttemptDependencies &
  Dependencies<"newestEvents" | "secrets" | "deliveryMetrics" | "usage"> & {
    readonly accessLog: Pick<AccessLogStore, "record">;
  };

/** The delivery that a message names, with scope and log. */
interface AttemptRequest {
  readonly scope: TeamScope;
  readonly message: AttemptMessage;
  readonly log: Log;
}

/**
 * Attempts a delivery if it is due and its endpoint may receive it (docs/events.md, Delivery). After a crash at any
 * step the delivery is still due and the lease expires, so the attempt is repeated and never lost.
 */
export async function attemptDelivery(look: AttemptRequest, deps: AttemptDeliveryDependencies): Promise<void> {
  const { scope, message } = look;
  const destination = await admitDelivery(scope, message, deps);
  if (!destination) return;
  const { delivery, leaseQueue } = destination;
  const isDueNow = delivery !== undefined && isDue(delivery, ports().clock.now());
  if (!needsLease(isDueNow, leaseQueue)) return;
  const lease = await acquireLease(message, leaseQueue, deps);
  if (!lease) return;
  const quarantineFrom = await attemptUnderLease(lease, destination, look, deps);
  if (quarantineFrom === undefined) await releaseLease(message, lease, deps);
  else await quarantineLease(message, lease, quarantineFrom, deps);
}

/** @returns the end of an attempt with an unknown outcome (epoch ms); undefined in all other cases. */
async function attemptUnderLease(
  lease: Lease,
  destination: DeliveryTarget,
  look: AttemptRequest,
  deps: AttemptDeliveryDependencies,
): Promise<number | undefined> {
  const { message } = look;
  const { endpoint, health } = destination;
  const { delivery, text, newest } = await readUnderLease(destination, message, deps);
  if (!delivery || !isDue(delivery, ports().clock.now())) return undefined;
  if (!(await admitWithinRateLimit(message, endpoint, deps))) return undefined;
  return withSlot({ message, health, log: look.log }, deps, () =>
    makeAttempt({ lease, endpoint, health, delivery, text, newest }, look, deps),
  );
}

/** An attempt with its lease, endpoint and current body. */
interface PreparedAttempt extends Pick<DeliveryTarget, "endpoint" | "health"> {
  readonly lease: Lease;
  readonly delivery: Delivery;
  readonly text: string | undefined;
  readonly newest: EventReference | undefined;
}

/** @returns as {@link attemptUnderLease}. */
async function makeAttempt(
  { lease, endpoint, health, delivery, text, newest }: PreparedAttempt,
  { scope, message, log }: AttemptRequest,
  deps: AttemptDeliveryDependencies,
): Promise<number | undefined> {
  if (message.probe && !(await deps.endpointHealth.claimProbe(message, ports().clock.now()))) return undefined;
  const body = await resolveCurrentBody(scope, { reference: delivery.event, text, newest }, deps);
  if (body === undefined) {
    await deps.deliveries.cancel(message, "nothing_to_send");
    return undefined;
  }
  const startedMs = ports().clock.now();
  const result = await sendSigned({ scope, delivery, endpoint, body, lease }, deps);
  const endedMs = ports().clock.now();
  const { event_id, endpoint_id } = delivery;
  log.info("webhook attempted", { event_id, endpoint_id, status: result.status, error: result.error ?? undefined });
  // Usage counts every attempt, also one that a crash after this line repeats.
  await deps.usage.addDelivery(scope, endedMs);
  const attempts = appendAttempt(delivery.attempts, toAttempt(result, startedMs, message.probe));
  if (result.durationMs >= SLOW_ATTEMPT_MS) {
    await deps.endpointHealth.recordSlowAttempt(message, result.durationMs, endedMs, health);
  }
  const isAmbiguous = result.error === "timeout" || result.error === "broken";
  const isTaken = result.error === null && result.status >= 200 && result.status < 300;
  await deps.deliveryMetrics.increment(scope, isTaken ? "delivered" : "failed", endedMs).catch(logCountFailure(log));
  if (isTaken) {
    await deps.deliveries.complete({ ...delivery, attempts, fence: lease.fence }, "delivered");
    if (hasRecordedFailures(health)) await deps.endpointHealth.clearFailures(message, health, endedMs);
  } else {
    const about = { fence: lease.fence, isProbe: message.probe, isAmbiguous, endedMs, body };
    await handleFailedAttempt({ scope, delivery, attempts, health, result, ...about }, deps);
  }
  return isAmbiguous ? endedMs : undefined;
}

/** Reads the state of a delivery under its lease. The previous lease holder may have made the attempt already. */
async function readUnderLease(destination: DeliveryTarget, message: AttemptMessage, deps: AttemptDeliveryDependencies) {
  // A deleted delivery stays deleted; the lease was acquired for those that wait behind it.
  if (!destination.delivery) return {};
  const [delivery, text, newest] = await deps.read([
    deps.deliveries.readItem(message),
    deps.outbox.readBodyItem(message),
    deps.newestEvents.readItem(destination.delivery.event),
  ]);
  return { delivery, text, newest };
}

/** Logs a missing count. A completed attempt is not repeated for a metric. */
const logCountFailure = (log: Log) => (error: unknown) => log.error("an attempt could not be counted", error);

/** The input of a signed request. */
interface OutgoingAttempt {
  readonly scope: TeamScope;
  readonly delivery: Delivery;
  readonly endpoint: WebhookEndpoint;
  readonly body: string;
  readonly lease: Lease;
}

/**
 * Records the attempt in the access log and sends the signed request. For a while after a rotation the previous secret
 * signs too.
 */
async function sendSigned(
  attempt: OutgoingAttempt,
  { secrets, accessLog }: AttemptDeliveryDependencies,
): Promise<AttemptResult> {
  const { scope, delivery, endpoint, body, lease } = attempt;
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
  return postWebhook({
    url: endpoint.url,
    id: delivery.event_id,
    body,
    secrets: opened,
    version: fence,
    headers: webhookHeaders.parse(JSON.parse(own)),
  });
}

const toAttempt = (result: AttemptResult, startedMs: number, probe: boolean): Attempt => ({
  at: new Date(startedMs).toISOString(),
  status: result.status,
  duration_ms: result.durationMs,
  response: result.response,
  error: result.error,
  probe,
});
