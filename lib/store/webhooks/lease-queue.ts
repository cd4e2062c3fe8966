import * as z from "zod";
import type { Item } from "../item.ts";

/** A first attempt that holds a lease until its delivery records it (docs/decisions/0015). */
interface FirstAttemptHolder {
  readonly event_id: string;
  /** Fencing token of the lease. */
  readonly fence: number;
}

/** The lease to attempt a delivery, as its holder knows it. */
export interface Lease {
  /** Fencing token: it exceeds that of every earlier lease of the endpoint and ordering key. */
  readonly fence: number;
  /** Ids of events whose deliveries waited for the lease when it was acquired. */
  readonly waiting: readonly string[];
  /** End of the lease, epoch ms. */
  readonly untilMs: number;
}

/** A lease that another delivery holds. */
export interface HeldLease {
  readonly heldUntil: string;
  /** The holder has finished, but its attempt of unknown outcome may still take effect. */
  readonly isQuarantine: boolean;
  /** Whether the delivery is already waiting for the lease. */
  readonly isWaiting: boolean;
  /** Absent if the holder releases its lease. */
  readonly first: FirstAttemptHolder | undefined;
  /** Deliveries that wait for the lease. */
  readonly waitingCount: number;
  /** Duration of an attempt under this lease and those before it, in milliseconds. */
  readonly paceMs: number;
}

/** Maximum number of deliveries that wait for one lease. Further deliveries return later. */
export const MAX_WAITING_DELIVERIES = 100;
/** Assumed duration of an attempt before one was measured. */
const DEFAULT_PACE_MS = 100;

/** Holder of a lease and its waiting deliveries. */
export interface LeaseQueue {
  /** Returns the holder at an instant; undefined if the lease is free. */
  heldLeaseAt(nowMs: number): HeldLease | undefined;
  readonly hasOtherWaiting: boolean;
}

/** A stored lease. */
export const leaseItem = z.object({
  fence: z.number(),
  lease_until: z.string(),
  quarantine: z.string().optional(),
  /** Event of the first attempt that holds the lease. */
  first_attempt: z.string().optional(),
  waiting: z.set(z.string()).optional(),
  /** Duration of the last attempt of a turn, in milliseconds. */
  pace_ms: z.number().optional(),
  /** Until when deliveries return that the waiting list had no room for, epoch ms. */
  return_ms: z.number().optional(),
});
type LeaseItem = z.output<typeof leaseItem>;

/** Converts a stored lease to the view of its holder. */
export function toLease(item: unknown): Lease {
  const { fence, lease_until, waiting = new Set<string>() } = leaseItem.parse(item);
  return { fence, waiting: [...waiting], untilMs: Date.parse(lease_until) };
}

/** Converts a lease that is held to the view of one delivery. */
export function toHeldLease(item: LeaseItem | Item | undefined, eventId: string): HeldLease {
  const { fence, lease_until, quarantine, first_attempt, waiting, pace_ms } = item ?? {};
  const isQuarantine = quarantine !== undefined;
  return {
    heldUntil: String(lease_until),
    isQuarantine,
    isWaiting: waiting instanceof Set && waiting.has(eventId),
    first:
      first_attempt === undefined || isQuarantine
        ? undefined
        : { event_id: String(first_attempt), fence: Number(fence) },
    waitingCount: waiting instanceof Set ? waiting.size : 0,
    paceMs: Number(pace_ms ?? DEFAULT_PACE_MS),
  };
}

/** Converts a stored lease to the view of one delivery. */
export function toLeaseQueue(item: LeaseItem | undefined, eventId: string): LeaseQueue {
  const { lease_until = "", waiting = new Set() } = item ?? {};
  return {
    heldLeaseAt: (nowMs) => (lease_until > new Date(nowMs).toISOString() ? toHeldLease(item, eventId) : undefined),
    hasOtherWaiting: [...waiting].some((one) => one !== eventId),
  };
}
