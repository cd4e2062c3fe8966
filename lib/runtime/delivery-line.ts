import { type AttemptMessage, QUARANTINE_MS } from "../events/delivery.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { DeliveryLeaseStore, Lease, Line } from "../store/delivery-leases.ts";
import { lookAt, lookAtAll } from "./attempt-queue.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** What taking turns at an endpoint takes. */
export interface LineUses {
  readonly deliveries: DeliveryStore;
  readonly deliveryLeases: DeliveryLeaseStore;
  readonly webhookAttempts: Queue;
}

/** Looks at a lease that is given back again and again; whoever has no luck for so long is left to the sweeper. */
const LOOKS = 10;
/** Where a line is too long to stand in, its end comes back after this time. */
const LONG_LINE_MS = 60_000;

/**
 * Whether a delivery is worth its lease: it is due, or nobody else would wake those who stand in line behind it.
 */
export const isWorthLease = (isDue: boolean, line: Line): boolean =>
  isDue || (line.hasOthers && line.heldAt(ports().clock.now()) === undefined);

/**
 * Takes the lease of a delivery. Where somebody has it, the delivery is looked at again when it is free: at once after an
 * attempt, and after a quarantine at its end.
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
    // Whoever has the lease wakes those in line, and after a quarantine each has a message of its own.
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

/** Gives a lease back and wakes those in line. */
export async function giveBack(
  message: AttemptMessage,
  lease: Lease,
  { deliveryLeases, webhookAttempts }: LineUses,
): Promise<void> {
  const woken = await deliveryLeases.release(message, lease, ports().clock.now());
  await lookAtAll(webhookAttempts, others(message, woken));
}

/** Keeps a lease after an attempt of unknown fate that ended at `endedMs`; those in line wait for its end. */
export async function keepQuarantined(
  message: AttemptMessage,
  lease: Lease,
  endedMs: number,
  { deliveryLeases, webhookAttempts }: LineUses,
): Promise<void> {
  const waiting = await deliveryLeases.quarantine(message, lease, endedMs + QUARANTINE_MS);
  await lookAtAll(webhookAttempts, others(message, waiting), QUARANTINE_MS / 1000);
}

/** Messages for other deliveries of the same endpoint and order key. */
const others = (message: AttemptMessage, eventIds: readonly string[]): AttemptMessage[] =>
  eventIds.map((event_id) => ({ ...message, event_id, probe: false }));
