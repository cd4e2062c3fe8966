import { type AttemptMessage, QUARANTINE_MS } from "../events/delivery.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { DeliveryLeaseStore, Lease, Line } from "../store/delivery-leases.ts";
import { lookAt, lookAtAll } from "./attempt-queue.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** Dependencies of delivery leases. */
export interface LineUses {
  readonly deliveries: DeliveryStore;
  readonly deliveryLeases: DeliveryLeaseStore;
  readonly webhookAttempts: Queue;
}

/** Maximum attempts to acquire a contended lease. After these the delivery is left to the sweeper. */
const LOOKS = 10;
/** Delay before a delivery retries a lease whose queue is full. */
const LONG_LINE_MS = 60_000;

/**
 * Whether a delivery needs its lease: it is due, or others wait for the lease and no holder will enqueue them.
 */
export const isWorthLease = (isDue: boolean, line: Line): boolean =>
  isDue || (line.hasOthers && line.heldAt(ports().clock.now()) === undefined);

/**
 * Acquires the lease of a delivery. If the lease is held, the delivery waits and is enqueued again: right after the
 * holder's attempt, or at the end of a quarantine.
 */
export async function takeLease(
  message: AttemptMessage,
  line: Line,
  { deliveries, deliveryLeases, webhookAttempts }: LineUses,
): Promise<Lease | undefined> {
  for (let look = 1; look <= LOOKS; look++) {
    const nowMs = ports().clock.now();
    const seen = look === 1 ? line.heldAt(nowMs) : undefined;
    const lease = seen ?? (await deliveryLeases.acquire(message, nowMs));
    if ("fence" in lease) return lease;
    // The lease holder enqueues all that wait, and after a quarantine each has its own message.
    if (lease.isWaiting) return undefined;
    if (lease.isQuarantine) await lookAt(webhookAttempts, message, Date.parse(lease.heldUntil));
    const place = await deliveryLeases.wait(message, lease);
    if (place === "waiting" || lease.isQuarantine) return undefined;
    if (place === "full") {
      const untilMs = nowMs + LONG_LINE_MS;
      if (await deliveries.putOff(message, nowMs, untilMs)) await lookAt(webhookAttempts, message, untilMs);
      return undefined;
    }
  }
  return undefined;
}

/** Releases a lease and enqueues the deliveries that wait for it. */
export async function giveBack(
  message: AttemptMessage,
  lease: Lease,
  { deliveryLeases, webhookAttempts }: LineUses,
): Promise<void> {
  const woken = await deliveryLeases.release(message, lease, ports().clock.now());
  await lookAtAll(webhookAttempts, others(message, woken));
}

/**
 * Keeps a lease in quarantine after an attempt with an unknown outcome that ended at `endedMs`. Waiting deliveries wait
 * on.
 */
export async function keepQuarantined(
  message: AttemptMessage,
  lease: Lease,
  endedMs: number,
  { deliveryLeases, webhookAttempts }: LineUses,
): Promise<void> {
  const waiting = await deliveryLeases.quarantine(message, lease, endedMs + QUARANTINE_MS);
  await lookAtAll(webhookAttempts, others(message, waiting), QUARANTINE_MS / 1000);
}

/** Creates messages for other deliveries of the same endpoint and ordering key. */
const others = (message: AttemptMessage, eventIds: readonly string[]): AttemptMessage[] =>
  eventIds.map((event_id) => ({ ...message, event_id, probe: false }));
