import { type AttemptMessage, isAmbiguous, QUARANTINE_MS } from "../../events/webhooks/delivery.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { HeldLease, Lease, LeaseQueue } from "../../store/webhooks/lease-queue.ts";
import { enqueueAttempt, enqueueAttempts } from "./attempt-queue.ts";
import { postponeDelivery } from "./delivery-gate.ts";

/** Dependencies of delivery leases. */
export type DeliveryLeaseDependencies = Dependencies<"deliveries" | "deliveryLeases" | "webhookAttempts" | "read">;

/** Maximum attempts to acquire a contended lease. After these the delivery is left to the sweeper. */
const MAX_ACQUIRE_ATTEMPTS = 10;
/**
 * Whether a delivery needs its lease: it is due, or others wait for the lease and no holder will enqueue them.
 */
export const needsLease = (isDue: boolean, line: LeaseQueue): boolean =>
  isDue || (line.hasOtherWaiting && line.heldLeaseAt(ports().clock.now()) === undefined);

/**
 * Acquires the lease of a delivery. If the lease is held, the delivery waits: the holder continues with it, or
 * dispatches it at the end of a quarantine.
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
    // A holder finds all that wait, and after a quarantine each has its own message.
    if (lease.isWaiting) return undefined;
    const place = await awaitLease([message], deps);
    if (Array.isArray(place)) await postponeDelivery(message, place[0] ?? nowMs, deps);
    if (place !== "free" && place !== "over") return undefined;
  }
  return undefined;
}

/**
 * Makes deliveries of one endpoint and ordering key wait for their lease.
 * @returns `free` if nobody holds it any longer; `over` if its holder has finished and does not see that they wait; the
 * times at which the deliveries return (epoch ms) if too many wait.
 */
async function awaitLease(
  messages: readonly AttemptMessage[],
  deps: DeliveryLeaseDependencies,
): Promise<"waiting" | "free" | "over" | number[]> {
  const [one] = messages;
  if (!one) return "waiting";
  const nowMs = ports().clock.now();
  const eventIds = messages.map(({ event_id }) => event_id);
  const joined = await deps.deliveryLeases.enqueue(one, eventIds, nowMs);
  if (!joined) return "free";
  const { held, isFull } = joined;
  if (isFull) return reserveReturns(messages, held, deps);
  if (held.isQuarantine)
    for (const message of messages) await enqueueAttempt(deps.webhookAttempts, message, Date.parse(held.heldUntil));
  // A first attempt that ended before its holder could see the deliveries wait dispatches none.
  return (await isFirstAttemptOver(one, held, deps)) ? "over" : "waiting";
}

/** Reserves times at which deliveries return that the waiting list of their lease has no room for, epoch ms. */
export async function reserveReturns(
  messages: readonly AttemptMessage[],
  held: HeldLease,
  { deliveryLeases }: Pick<DeliveryLeaseDependencies, "deliveryLeases">,
): Promise<number[]> {
  const [one] = messages;
  if (!one) return [];
  const firstMs = await deliveryLeases.reserveReturn(one, held, messages.length, ports().clock.now());
  return messages.map((_, index) => firstMs + index * held.paceMs);
}

/**
 * Makes stored deliveries of one endpoint and ordering key wait for their lease, or dispatches them if it is free.
 * @param isHeld whether the caller holds the lease, and ends it afterwards.
 */
export async function awaitOrDispatch(
  messages: readonly AttemptMessage[],
  isHeld: boolean,
  deps: DeliveryLeaseDependencies,
): Promise<void> {
  const place = await awaitLease(messages, deps);
  if (Array.isArray(place)) {
    await Promise.all(messages.map((one, index) => enqueueAttempt(deps.webhookAttempts, one, place[index] ?? 0)));
    return;
  }
  // One of those that wait continues with the others.
  const dispatched = place === "free" ? messages : place === "over" && !isHeld ? messages.slice(0, 1) : [];
  await enqueueAttempts(deps.webhookAttempts, dispatched);
}

/**
 * Acquires the lease of a first attempt.
 * @returns the lease as it is if another delivery holds it, or if a consumer of the same event has begun this attempt.
 */
export async function acquireFirstLease(
  message: AttemptMessage,
  deps: DeliveryLeaseDependencies,
): Promise<Lease | HeldLease> {
  const found = await deps.deliveryLeases.acquire(message, ports().clock.now(), { isFirst: true });
  return takeOverLease(message, found, deps, true);
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
 * @param isRecorded false if the delivery shows no end: of an attempt that made no request, or of a second message of an
 * event whose delivery has ended before.
 */
export async function endFirstLease(
  message: AttemptMessage,
  lease: Lease,
  deps: DeliveryLeaseDependencies,
  isRecorded = true,
): Promise<void> {
  const isAwaited = !isRecorded || lease.waiting.length > 0;
  const hasWaiting = isAwaited || (await deps.deliveryLeases.listWaiting(message, lease)).length > 0;
  if (hasWaiting) await releaseLease(message, lease, deps);
}

/**
 * Releases a lease and dispatches one of the deliveries that wait for it, which continues with the others.
 * @param leaving event ids of deliveries that need not wait any longer.
 */
export async function releaseLease(
  message: AttemptMessage,
  lease: Lease,
  { deliveryLeases, webhookAttempts }: DeliveryLeaseDependencies,
  leaving: readonly string[] = [],
): Promise<void> {
  const waiting = await deliveryLeases.release(message, lease, leaving);
  await enqueueAttempts(webhookAttempts, toWaitingMessages(message, waiting.slice(0, 1)));
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
export const toWaitingMessages = (message: AttemptMessage, eventIds: readonly string[]): AttemptMessage[] =>
  eventIds.map((event_id) => ({ ...message, event_id, probe: false }));
