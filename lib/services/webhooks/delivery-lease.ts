import { type AttemptMessage, QUARANTINE_MS } from "../../events/webhooks/delivery.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { Lease, LeaseQueue } from "../../store/webhooks/delivery-leases.ts";
import { enqueueAttempt, enqueueAttempts } from "./attempt-queue.ts";

/** Dependencies of delivery leases. */
export type DeliveryLeaseDependencies = Dependencies<"deliveries" | "deliveryLeases" | "webhookAttempts">;

/** Maximum attempts to acquire a contended lease. After these the delivery is left to the sweeper. */
const MAX_ACQUIRE_ATTEMPTS = 10;
/** Delay before a delivery retries a lease whose queue is full. */
const FULL_QUEUE_DELAY_MS = 60_000;

/**
 * Whether a delivery needs its lease: it is due, or others wait for the lease and no holder will enqueue them.
 */
export const needsLease = (isDue: boolean, line: LeaseQueue): boolean =>
  isDue || (line.hasOtherWaiting && line.heldLeaseAt(ports().clock.now()) === undefined);

/**
 * Acquires the lease of a delivery. If the lease is held, the delivery waits and is enqueued again: right after the
 * holder's attempt, or at the end of a quarantine.
 */
export async function acquireLease(
  message: AttemptMessage,
  line: LeaseQueue,
  { deliveries, deliveryLeases, webhookAttempts }: DeliveryLeaseDependencies,
): Promise<Lease | undefined> {
  for (let look = 1; look <= MAX_ACQUIRE_ATTEMPTS; look++) {
    const nowMs = ports().clock.now();
    const seen = look === 1 ? line.heldLeaseAt(nowMs) : undefined;
    const lease = seen ?? (await deliveryLeases.acquire(message, nowMs));
    if ("fence" in lease) return lease;
    // The lease holder enqueues all that wait, and after a quarantine each has its own message.
    if (lease.isWaiting) return undefined;
    if (lease.isQuarantine) await enqueueAttempt(webhookAttempts, message, Date.parse(lease.heldUntil));
    const place = await deliveryLeases.enqueue(message, lease);
    if (place === "waiting" || lease.isQuarantine) return undefined;
    if (place === "full") {
      const untilMs = nowMs + FULL_QUEUE_DELAY_MS;
      if (await deliveries.postpone(message, nowMs, untilMs)) await enqueueAttempt(webhookAttempts, message, untilMs);
      return undefined;
    }
  }
  return undefined;
}

/** Releases a lease and enqueues the deliveries that wait for it. */
export async function releaseLease(
  message: AttemptMessage,
  lease: Lease,
  { deliveryLeases, webhookAttempts }: DeliveryLeaseDependencies,
): Promise<void> {
  const woken = await deliveryLeases.release(message, lease, ports().clock.now());
  await enqueueAttempts(webhookAttempts, toWaitingMessages(message, woken));
}

/**
 * Keeps a lease in quarantine after an attempt with an unknown outcome that ended at `endedMs`. Waiting deliveries wait
 * on.
 */
export async function quarantineLease(
  message: AttemptMessage,
  lease: Lease,
  endedMs: number,
  { deliveryLeases, webhookAttempts }: DeliveryLeaseDependencies,
): Promise<void> {
  const waiting = await deliveryLeases.quarantine(message, lease, endedMs + QUARANTINE_MS);
  await enqueueAttempts(webhookAttempts, toWaitingMessages(message, waiting), QUARANTINE_MS / 1000);
}

/** Creates messages for other deliveries of the same endpoint and ordering key. */
const toWaitingMessages = (message: AttemptMessage, eventIds: readonly string[]): AttemptMessage[] =>
  eventIds.map((event_id) => ({ ...message, event_id, probe: false }));
