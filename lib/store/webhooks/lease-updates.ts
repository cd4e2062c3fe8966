import { ATTEMPT_TIMEOUT_MS, type AttemptMessage, QUARANTINE_MS } from "../../events/webhooks/delivery.ts";
import type { ItemUpdate } from "../table.ts";
import type { HeldLease, Lease } from "./lease-queue.ts";

/**
 * Duration of a lease: an attempt, time to record its outcome, and a quarantine. What a crashed worker has sent is
 * unknown.
 */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000 + QUARANTINE_MS;
/**
 * Retention of fencing tokens. A token must grow while an older attempt may still be under way; events are stored for
 * 30 days.
 */
const KEPT_S = 40 * 24 * 60 * 60;

/** Formats epoch milliseconds as ISO 8601 in UTC. */
export const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** Values of a lease that begins at an instant. */
const duration = (nowMs: number) => ({
  ":until": iso(nowMs + LEASE_MS),
  ":expires": Math.floor(nowMs / 1000) + KEPT_S,
});

/** How to acquire a lease. */
export interface AcquireOptions {
  /** Whether this is a first attempt, whose delivery shows its end. It acquires no lease a second time. */
  readonly isFirst?: boolean;
  /** A lease whose first attempt is over, as its delivery shows. */
  readonly over?: HeldLease;
}

/** Returns the update that acquires a free lease, or one whose first attempt is over. Its delivery stops waiting. */
export function acquireUpdate(
  { event_id: me }: AttemptMessage,
  nowMs: number,
  { isFirst, over }: AcquireOptions,
): ItemUpdate {
  const isFree = over ? "fence = :over" : "attribute_not_exists(lease_until) OR lease_until <= :now";
  const isNew = "attribute_not_exists(first_attempt) OR first_attempt <> :first";
  return {
    UpdateExpression:
      "SET fence = if_not_exists(fence, :zero) + :one, lease_until = :until, expires_at = :expires" +
      `${isFirst ? ", first_attempt = :first" : ""} ` +
      `REMOVE quarantine${isFirst ? "" : ", first_attempt"} DELETE waiting :me`,
    ConditionExpression: isFirst ? `(${isFree}) AND (${isNew})` : isFree,
    ExpressionAttributeValues: {
      ...duration(nowMs),
      ":zero": nowMs,
      ":one": 1,
      ":me": new Set([me]),
      ...(over ? { ":over": over.first?.fence } : { ":now": iso(nowMs) }),
      ...(isFirst ? { ":first": me } : {}),
    },
  };
}

/** How to pass on a lease. */
export interface PassOnOptions {
  readonly isFirst?: boolean;
  readonly leaving?: readonly string[];
  readonly paceMs?: number;
}

/** Returns the update that passes a lease on to another delivery. */
export function passOnUpdate(
  { event_id: next }: AttemptMessage,
  { fence }: Lease,
  nowMs: number,
  { isFirst = false, leaving = [], paceMs }: PassOnOptions,
): ItemUpdate {
  return {
    UpdateExpression:
      `SET fence = :next, lease_until = :until, expires_at = :expires${isFirst ? ", first_attempt = :first" : ""}` +
      `${paceMs === undefined ? "" : ", pace_ms = :pace"} DELETE waiting :gone`,
    ConditionExpression: "fence = :fence",
    ExpressionAttributeValues: {
      ...duration(nowMs),
      ":fence": fence,
      ":next": fence + 1,
      ":gone": new Set([next, ...leaving]),
      ...(paceMs === undefined ? {} : { ":pace": paceMs }),
      ...(isFirst ? { ":first": next } : {}),
    },
  };
}
