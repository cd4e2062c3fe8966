import * as z from "zod";
import { eventReference, orderKeyOf } from "./envelope.ts";

/** Names one delivery: an event on its way to an endpoint. */
export const deliveryReference = z.object({
  team_id: z.string(),
  user_id: z.string(),
  endpoint_id: z.string(),
  event_id: z.string(),
});
export type DeliveryReference = z.output<typeof deliveryReference>;

/** All that the attempt queue carries: a delivery that may be due, and whether it is to show if its endpoint works again. */
export const attemptMessage = deliveryReference.extend({ order_key: z.string(), probe: z.boolean().default(false) });
export type AttemptMessage = z.output<typeof attemptMessage>;

/**
 * Why an attempt has no answer: nothing could be sent (`refused` by our own rules, `unreachable`), or a request went out
 * and its fate is unknown (`timeout`, `broken`).
 */
export const attemptError = z.enum(["refused", "unreachable", "timeout", "broken"]);
export type AttemptError = z.output<typeof attemptError>;

/** One try to hand an event to an endpoint. */
const attempt = z.object({
  at: z.string(),
  /** 0 where there was no complete answer. */
  status: z.number().int(),
  duration_ms: z.number(),
  /** The beginning of the answer's body. */
  response: z.string().default(""),
  error: attemptError.nullable().default(null),
  /** Whether it only tried if the endpoint works again; such attempts are beside the schedule. */
  probe: z.boolean().default(false),
});
export type Attempt = z.output<typeof attempt>;

/** Why a delivery ended without further attempts. */
export const cancelReason = z.enum([
  "manual",
  "gone",
  "failing",
  "endpoint_deleted",
  "user_deleted",
  "team_deleted",
  "nothing_to_send",
]);
export type CancelReason = z.output<typeof cancelReason>;

/**
 * The truth about a delivery; queue messages only say that it may be worth a look. `parked` is one that waits, without
 * attempts, until its endpoint works again.
 */
export const delivery = deliveryReference.extend({
  event: eventReference,
  state: z.enum(["pending", "parked", "delivered", "exhausted", "cancelled"]),
  reason: cancelReason.optional(),
  attempts: z.array(attempt),
  next_attempt_at: z.string(),
  planned_at: z.string(),
  /** When it was last asked to be sent again; attempts before that do not count. */
  resent_at: z.string().optional(),
});
export type Delivery = z.output<typeof delivery>;

/** The message that has a delivery looked at. */
export function attemptMessageFor(of: DeliveryReference & Pick<Delivery, "event">, probe = false) {
  const { team_id, user_id, endpoint_id, event_id, event } = of;
  return { team_id, user_id, endpoint_id, event_id, order_key: orderKeyOf(event), probe } satisfies AttemptMessage;
}

/** Whether a delivery may be attempted at an instant (epoch ms). */
export function isDue({ state, next_attempt_at }: Delivery, nowMs: number): boolean {
  return state === "parked" || (state === "pending" && Date.parse(next_attempt_at) <= nowMs);
}

/** Attempts kept of a delivery that was sent again and again: those of the last schedule, and as many before it. */
const MOST_ATTEMPTS = 18;

/** The attempts with a new one. Probes come every minute for as long as an endpoint is parked, so only the last is kept. */
export function withAttempt(attempts: readonly Attempt[], added: Attempt): Attempt[] {
  return [...attempts.filter(({ probe }) => !(probe && added.probe)), added].slice(-MOST_ATTEMPTS);
}

/** Those of the attempts that count for the schedule: what was sent again starts it anew. */
export function attemptsOfSchedule(
  attempts: readonly Attempt[],
  { resent_at: from = "" }: Pick<Delivery, "resent_at">,
) {
  return attempts.filter(({ at }) => at >= from);
}

/** Seconds from a failure to the next attempt; the first attempt is at once. */
const RETRY_DELAYS_S = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600] as const;

/** From this step on retries are spread by up to a tenth, so that an outage does not end in a stampede. */
const FIRST_SPREAD_STEP = 2;

/** An attempt without a complete answer within this time has failed. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** For so long after an attempt of unknown fate nothing is sent that it could overwrite, should it still take effect. */
export const QUARANTINE_MS = 60_000;

/**
 * Milliseconds until the next attempt after those made; undefined when no attempt is left. Probes do not count.
 * @param chance a number in [0, 1) that spreads the longer delays.
 */
export function retryDelayMs(attempts: readonly Pick<Attempt, "probe">[], chance: number): number | undefined {
  const step = attempts.filter(({ probe }) => !probe).length - 1;
  const delayS = RETRY_DELAYS_S[step];
  if (delayS === undefined) return undefined;
  const spread = step >= FIRST_SPREAD_STEP ? 1 + (chance - 0.5) / 5 : 1;
  return Math.round(delayS * 1000 * spread);
}
