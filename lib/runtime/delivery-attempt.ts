import type { Envelopes } from "../crypto/envelope.ts";
import { type Attempt, type AttemptMessage, type Delivery, isDue, withAttempt } from "../events/delivery.ts";
import { hasTrouble, SLOW_ATTEMPT_MS } from "../events/endpoint-health.ts";
import type { EventReference } from "../events/envelope.ts";
import { headersContext, secretContext, type WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { webhookHeaders } from "../events/webhook-headers.ts";
import type { AccessLogStore } from "../store/audit/access-log.ts";
import type { Lease } from "../store/delivery-leases.ts";
import type { DeliveryMetricStore } from "../store/delivery-metrics.ts";
import type { NewestEventStore } from "../store/newest-events.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UsageStore } from "../store/usage.ts";
import { noteWork } from "./audit/noting-work.ts";
import { type CurrentBodyUses, currentBody } from "./current-body.ts";
import { type Destination, isWithinRate, passGate } from "./delivery-gate.ts";
import { giveBack, isWorthLease, keepQuarantined, type LineUses, takeLease } from "./delivery-line.ts";
import { type SlotUses, withSlot } from "./delivery-slot.ts";
import { carryOn, type FailedAttemptUses } from "./failed-attempt.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";
import { type AttemptResult, postWebhook } from "./webhook-post.ts";

/** Dependencies of an attempt. */
interface AttemptUses extends SlotUses, LineUses, CurrentBodyUses, FailedAttemptUses {
  readonly newestEvents: NewestEventStore;
  readonly secrets: Envelopes;
  readonly deliveryMetrics: DeliveryMetricStore;
  readonly usage: UsageStore;
  readonly accessLog: Pick<AccessLogStore, "record">;
}

/** The delivery that a message names, with scope and log. */
interface Look {
  readonly scope: TeamScope;
  readonly message: AttemptMessage;
  readonly log: Log;
}

/**
 * Attempts a delivery if it is due and its endpoint may receive it (docs/events.md, Delivery). After a crash at any
 * step the delivery is still due and the lease expires, so the attempt is repeated and never lost.
 */
export async function attemptDelivery(look: Look, uses: AttemptUses): Promise<void> {
  const { scope, message } = look;
  const destination = await passGate(scope, message, uses);
  if (!destination) return;
  const { delivery, line } = destination;
  const isDueNow = delivery !== undefined && isDue(delivery, ports().clock.now());
  if (!isWorthLease(isDueNow, line)) return;
  const lease = await takeLease(message, line, uses);
  if (!lease) return;
  const quarantineFrom = await attemptUnder(lease, destination, look, uses);
  if (quarantineFrom === undefined) await giveBack(message, lease, uses);
  else await keepQuarantined(message, lease, quarantineFrom, uses);
}

/** @returns the end of an attempt with an unknown outcome (epoch ms); undefined in all other cases. */
async function attemptUnder(
  lease: Lease,
  destination: Destination,
  look: Look,
  uses: AttemptUses,
): Promise<number | undefined> {
  const { message } = look;
  const { endpoint, health } = destination;
  const { delivery, text, newest } = await readUnder(destination, message, uses);
  if (!delivery || !isDue(delivery, ports().clock.now())) return undefined;
  if (!(await isWithinRate(message, endpoint, uses))) return undefined;
  return withSlot({ message, health, log: look.log }, uses, () =>
    attemptWith({ lease, endpoint, health, delivery, text, newest }, look, uses),
  );
}

/** An attempt with its lease, endpoint and current body. */
interface Prepared extends Pick<Destination, "endpoint" | "health"> {
  readonly lease: Lease;
  readonly delivery: Delivery;
  readonly text: string | undefined;
  readonly newest: EventReference | undefined;
}

/** @returns as {@link attemptUnder}. */
async function attemptWith(
  { lease, endpoint, health, delivery, text, newest }: Prepared,
  { scope, message, log }: Look,
  uses: AttemptUses,
): Promise<number | undefined> {
  if (message.probe && !(await uses.endpointHealth.claimProbe(message, ports().clock.now()))) return undefined;
  const body = await currentBody(scope, { reference: delivery.event, text, newest }, uses);
  if (body === undefined) {
    await uses.deliveries.cancel(message, "nothing_to_send");
    return undefined;
  }
  const startedMs = ports().clock.now();
  const result = await send({ scope, delivery, endpoint, body, lease }, uses);
  const endedMs = ports().clock.now();
  const { event_id, endpoint_id } = delivery;
  log.info("webhook attempted", { event_id, endpoint_id, status: result.status, error: result.error ?? undefined });
  // Usage counts every attempt, also one that a crash after this line repeats.
  await uses.usage.addDelivery(scope, endedMs);
  const attempts = withAttempt(delivery.attempts, attemptOf(result, startedMs, message.probe));
  if (result.durationMs >= SLOW_ATTEMPT_MS) {
    await uses.endpointHealth.noteSlow(message, result.durationMs, endedMs, health);
  }
  const isAmbiguous = result.error === "timeout" || result.error === "broken";
  const isTaken = result.error === null && result.status >= 200 && result.status < 300;
  await uses.deliveryMetrics.count(scope, isTaken ? "delivered" : "failed", endedMs).catch(notCounted(log));
  if (isTaken) {
    await uses.deliveries.end({ ...delivery, attempts, fence: lease.fence }, "delivered");
    if (hasTrouble(health)) await uses.endpointHealth.reset(message, health, endedMs);
  } else {
    const about = { fence: lease.fence, isProbe: message.probe, isAmbiguous, endedMs, body };
    await carryOn({ scope, delivery, attempts, health, result, ...about }, uses);
  }
  return isAmbiguous ? endedMs : undefined;
}

/** Reads the state of a delivery under its lease. The previous lease holder may have made the attempt already. */
async function readUnder(destination: Destination, message: AttemptMessage, uses: AttemptUses) {
  // A deleted delivery stays deleted; the lease was acquired for those that wait behind it.
  if (!destination.delivery) return {};
  const [delivery, text, newest] = await uses.read([
    uses.deliveries.reading(message),
    uses.outbox.readingBody(message),
    uses.newestEvents.reading(destination.delivery.event),
  ]);
  return { delivery, text, newest };
}

/** Logs a missing count. A completed attempt is not repeated for a metric. */
const notCounted = (log: Log) => (error: unknown) => log.error("an attempt could not be counted", error);

/** The input of a signed request. */
interface Sending {
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
async function send(attempt: Sending, { secrets, accessLog }: AttemptUses): Promise<AttemptResult> {
  const { scope, delivery, endpoint, body, lease } = attempt;
  const { fence } = lease;
  const { sealed_secret, previous_secret: previous, headers } = endpoint;
  const now = new Date(ports().clock.now()).toISOString();
  const valid = previous && previous.expires_at > now ? [sealed_secret, previous.sealed_secret] : [sealed_secret];
  const opened = await Promise.all(valid.map((sealed) => secrets.open(sealed, secretContext(endpoint))));
  const own = headers === null ? "{}" : await secrets.open(headers, headersContext(endpoint));
  const { event_id, endpoint_id, user_id } = delivery;
  const id = `${event_id}/${endpoint_id}/${fence}`;
  const about = { operation: "attemptDelivery", id, userId: user_id, target: { event_id, endpoint_id } };
  await noteWork(accessLog, scope, about);
  return postWebhook({
    url: endpoint.url,
    id: delivery.event_id,
    body,
    secrets: opened,
    version: fence,
    headers: webhookHeaders.parse(JSON.parse(own)),
  });
}

const attemptOf = (result: AttemptResult, startedMs: number, probe: boolean): Attempt => ({
  at: new Date(startedMs).toISOString(),
  status: result.status,
  duration_ms: result.durationMs,
  response: result.response,
  error: result.error,
  probe,
});
