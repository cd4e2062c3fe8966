import * as z from "zod";
import { type EventReference, eventReference, orderingKeyOf } from "../catalogue/envelope.ts";

/** Identifies one delivery of an event to an endpoint. */
export const deliveryReference = z.object({
  team_id: z.string(),
  user_id: z.string(),
  endpoint_id: z.string(),
  event_id: z.string(),
});
export type DeliveryReference = z.output<typeof deliveryReference>;

/**
 * Message of the attempt queue: a delivery that may be due, and whether the attempt is a probe of a suspended endpoint.
 */
export const attemptMessage = deliveryReference.extend({ order_key: z.string(), probe: z.boolean().default(false) });
export type AttemptMessage = z.output<typeof attemptMessage>;

/**
 * Reason for an attempt without a response. `refused` (by our own rules) and `unreachable`: no request was sent.
 * `timeout` and `broken`: a request was sent and its outcome is unknown.
 */
export const attemptError = z.enum(["refused", "unreachable", "timeout", "broken"]);
export type AttemptError = z.output<typeof attemptError>;

/** One attempt to send an event to an endpoint. */
const attempt = z.object({
  at: z.string(),
  /** 0 if no complete response arrived. */
  status: z.number().int(),
  duration_ms: z.number(),
  /** Start of the response body. */
  response: z.string().default(""),
  error: attemptError.nullable().default(null),
  /** Whether the attempt is a probe. Probes do not count in the retry schedule. */
  probe: z.boolean().default(false),
});
export type Attempt = z.output<typeof attempt>;

/** Reason for a delivery that ended without further attempts. `filtered`: the filter of its endpoint excludes its type. */
export const cancelReason = z.enum([
  "manual",
  "gone",
  "failing",
  "endpoint_deleted",
  "user_deleted",
  "team_deleted",
  "nothing_to_send",
  "filtered",
]);
export type CancelReason = z.output<typeof cancelReason>;

/**
 * The authoritative state of a delivery. Queue messages only say that it may be due. `parked` is a held delivery: it
 * waits without attempts until its endpoint works again.
 */
export const delivery = deliveryReference.extend({
  event: eventReference,
  state: z.enum(["pending", "parked", "delivered", "exhausted", "cancelled"]),
  reason: cancelReason.optional(),
  /** Whether the reason `nothing_to_send` stands for `filtered`, which the version before refuses. */
  is_filtered: z.boolean().optional(),
  attempts: z.array(attempt),
  next_attempt_at: z.string(),
  planned_at: z.string(),
  /** Time of the last resend request. Earlier attempts do not count. */
  resent_at: z.string().optional(),
  /** Fencing token of the lease of the last attempt. */
  fence: z.number().optional(),
});
export type Delivery = z.output<typeof delivery>;

/** Returns a new delivery of an event, due at once. @param nowMs epoch milliseconds. */
export function planDelivery(event: EventReference, endpointId: string, nowMs: number): Delivery {
  const { team_id, user_id, event_id } = event;
  const now = new Date(nowMs).toISOString();
  const reference = { team_id, user_id, endpoint_id: endpointId, event_id };
  return { ...reference, event, state: "pending", attempts: [], planned_at: now, next_attempt_at: now };
}

/** Whether an attempt may still take effect at the receiver: its request was sent, and no whole response arrived. */
export const isAmbiguous = ({ error }: Pick<Attempt, "error">): boolean => error === "timeout" || error === "broken";

/** Returns the reason for the end of a delivery. */
export const cancelReasonOf = ({ reason, is_filtered }: Delivery): CancelReason | undefined =>
  reason === "nothing_to_send" && is_filtered ? "filtered" : reason;

/** Whether the receiver acknowledged an attempt. */
export const isDelivered = ({ status, error }: Pick<Attempt, "status" | "error">): boolean =>
  error === null && status >= 200 && status < 300;

/** Returns the attempt queue message of a delivery. An attempt belongs to the trace of its event. */
export function toAttemptMessage(
  of: DeliveryReference & Pick<Delivery, "event">,
  probe = false,
): AttemptMessage & Pick<EventReference, "traceparent"> {
  const { team_id, user_id, endpoint_id, event_id, event } = of;
  const { traceparent } = event;
  return { team_id, user_id, endpoint_id, event_id, order_key: orderingKeyOf(event), probe, traceparent };
}

/** Whether a delivery may be attempted at an instant (epoch ms). */
export function isDue({ state, next_attempt_at }: Delivery, nowMs: number): boolean {
  return state === "parked" || (state === "pending" && Date.parse(next_attempt_at) <= nowMs);
}

/** Stored attempts of a delivery: those of the last schedule, and as many before it. */
const MAX_STORED_ATTEMPTS = 18;

/**
 * Returns the attempts with a new one. Only the last probe is kept, because a suspended endpoint is probed every
 * minute.
 */
export function appendAttempt(attempts: readonly Attempt[], added: Attempt): Attempt[] {
  return [...attempts.filter(({ probe }) => !(probe && added.probe)), added].slice(-MAX_STORED_ATTEMPTS);
}

/** Returns the attempts of the current schedule. A resend starts a new schedule. */
export function currentScheduleAttempts(
  attempts: readonly Attempt[],
  { resent_at: from = "" }: Pick<Delivery, "resent_at">,
) {
  return attempts.filter(({ at }) => at >= from);
}

/** Seconds from a failure to the next attempt. The first attempt is immediate. */
const RETRY_DELAYS_S = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600] as const;

/** First retry with jitter of up to 10 %, so that retries do not arrive all at once after an outage. */
const FIRST_JITTERED_STEP = 2;

/** Timeout of an attempt without a complete response. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * Quarantine after an attempt of unknown outcome: no delivery that it could overwrite is sent, because the attempt may
 * still take effect.
 */
export const QUARANTINE_MS = 60_000;

/**
 * Returns the milliseconds until the next attempt; undefined after the last one. Probes do not count.
 * @param random number in [0, 1) for the jitter of longer delays.
 */
export function retryDelayMs(attempts: readonly Pick<Attempt, "probe">[], random: number): number | undefined {
  const step = attempts.filter(({ probe }) => !probe).length - 1;
  const delayS = RETRY_DELAYS_S[step];
  if (delayS === undefined) return undefined;
  const spread = step >= FIRST_JITTERED_STEP ? 1 + (random - 0.5) / 5 : 1;
  return Math.round(delayS * 1000 * spread);
}
