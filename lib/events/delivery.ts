import * as z from "zod";
import { eventReference } from "./envelope.ts";

/** Names one delivery: an event on its way to an endpoint. This is all that the attempt queue carries. */
export const deliveryReference = z.object({
  team_id: z.string(),
  user_id: z.string(),
  endpoint_id: z.string(),
  event_id: z.string(),
});
export type DeliveryReference = z.output<typeof deliveryReference>;

/** One try to hand an event to an endpoint. `status` is 0 when there was no answer. */
const attempt = z.object({ at: z.string(), status: z.number().int(), duration_ms: z.number() });
export type Attempt = z.output<typeof attempt>;

/** The truth about a delivery; queue messages only say that it may be worth a look. */
export const delivery = deliveryReference.extend({
  event: eventReference,
  state: z.enum(["pending", "delivered", "exhausted", "cancelled"]),
  attempts: z.array(attempt),
  next_attempt_at: z.string(),
  lease_until: z.string().optional(),
});
export type Delivery = z.output<typeof delivery>;

/** Seconds from a failure to the next attempt; the first attempt is at once. */
const RETRY_DELAYS_S = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600] as const;

/** From this step on retries are spread by up to a tenth, so that an outage does not end in a stampede. */
const FIRST_SPREAD_STEP = 2;

/** An attempt without an answer within this time has failed. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * Milliseconds until the next attempt after `failures` failed ones; undefined when no attempt is left.
 * @param chance a number in [0, 1) that spreads the longer delays.
 */
export function retryDelayMs(failures: number, chance: number): number | undefined {
  const step = failures - 1;
  const delayS = RETRY_DELAYS_S[step];
  if (delayS === undefined) return undefined;
  const spread = step >= FIRST_SPREAD_STEP ? 1 + (chance - 0.5) / 5 : 1;
  return Math.round(delayS * 1000 * spread);
}
