import { type AttemptMessage, isAmbiguous, QUARANTINE_MS } from "../../events/webhooks/delivery.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { Lease } from "../../store/webhooks/delivery-leases.ts";
import type { HeldLease, LeaseQueue } from "../../store/webhooks/lease-queue.ts";
import { enqueueAttempt, enqueueAttempts } from "./attempt-queue.ts";
import { postponeDelivery } from "./delivery-gate.ts";

/** Dependencies of delivery leases. */
export type DeliveryLeaseDependencies = Dependencies<"deliveries" | "deliveryLeases" | "webhookAttempts" | "read">;

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
  deps: DeliveryLeaseDependencies,
): Promise<Lease | undefined> {
  for (let look = 1; look <= MAX_ACQUIRE_ATTEMPTS; look++) {
    const nowMs = ports().clock.now();
    const seen = look === 1 ? line.heldLeaseAt(nowMs) : undefined;
    const lease = await takeOverLease(message, seen ?? (await deps.deliveryLeases.acquire(message, nowMs)), deps);
    if ("fence" in lease) return lease;
    // The lease holder enqueues all that wait, and after a quarantine each has its own message.
    if (lease.isWaiting) return undefined;
    if (lease.isQuarantine) await enqueueAttempt(deps.webhookAttempts, message, Date.parse(lease.heldUntil));
    const place = await deps.deliveryLeases.enqueue(message, lease);
    // A first attempt that ended before its holder could see the delivery wait wakes nobody.
    if (place === "waiting" && (await isFirstAttemptOver(message, lease, deps))) continue;
    if (place === "waiting" || lease.isQuarantine) return undefined;
    if (place === "full") {
      await postponeDelivery(message, nowMs + FULL_QUEUE_DELAY_MS, deps);
      return undefined;
    }
  }
  return undefined;
}

/**
 * Acquires the lease of a first attempt. @returns undefined if another delivery holds the lease, or if a consumer of the
 * same event has begun this attempt.
 */
export async function acquireFirstLease(
  message: AttemptMessage,
  deps: DeliveryLeaseDependencies,
): Promise<Lease | undefined> {
  const found = await deps.deliveryLeases.acquire(message, ports().clock.now(), { isFirst: true });
  const lease = await takeOverLease(message, found, deps, true);
  return "fence" in lease ? lease : undefined;
}

/** Acquires a lease whose first attempt is over. @returns any other lease as it is. */
async function takeOverLease(
  message: AttemptMessage,
  found: Lease | HeldLease,
  deps: DeliveryLeaseDependencies,
  isFirst = false,
): Promise<Lease | HeldLease> {
  if ("fence" in found || !(await isFirstAttemptOver(message, found, deps))) return found;
  return deps.deliveryLeases.acquire(message, ports().clock.now(), { isFirst, over: found });
}

/**
 * Whether a lease is held by a first attempt that is over. Its delivery shows that, under the fencing token of the lease,
 * so that the holder need not write the lease again. An attempt of unknown outcome is not over.
 */
async function isFirstAttemptOver(
  message: AttemptMessage,
  { first }: HeldLease,
  { deliveries, read }: DeliveryLeaseDependencies,
): Promise<boolean> {
  if (!first) return false;
  const [delivery] = await read([deliveries.readItem({ ...message, event_id: first.event_id })]);
  const attempt = delivery?.attempts.at(-1);
  return delivery?.fence === first.fence && attempt !== undefined && !isAmbiguous(attempt);
}

/**
 * Ends the lease of a first attempt whose delivery is recorded. That record ends the lease already. A delivery that
 * joined the waiting list before it is seen here; one that joins later sees the record.
 */
export async function endFirstLease(
  message: AttemptMessage,
  lease: Lease,
  deps: DeliveryLeaseDependencies,
): Promise<void> {
  const waiting = await deps.deliveryLeases.listWaiting(message, lease);
  if (waiting.length > 0) await releaseLease(message, lease, deps);
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
