import * as z from "zod";
import { HOUR_MS } from "../../domain/shared/durations.ts";

/** Identifies a team's endpoint. */
export type EndpointReference = { readonly team_id: string; readonly endpoint_id: string };

/**
 * Recent health of an endpoint. It is stored apart from the settings, so that updates of either never conflict. An
 * endpoint that never failed has no item.
 */
export const endpointHealth = z.object({
  team_id: z.string(),
  endpoint_id: z.string(),
  /** Ids of events whose deliveries failed since the last success. */
  failed: z.set(z.string()).optional(),
  /** Time of the first failure of the failure clock. */
  first_failed_at: z.string().optional(),
  /** Start of continuous failure. */
  failing_since: z.string().optional(),
  /** Start of the suspension: deliveries are held, and only probes are sent. */
  parked_at: z.string().optional(),
  /** End of the pause that the receiver requested. */
  hold_until: z.string().optional(),
  /** End of the period in which the endpoint counts as slow, */
  slow_until: z.string().optional(),
  /** and the duration of the attempt that caused it, in milliseconds. */
  slow_ms: z.number().optional(),
});
export type EndpointHealth = z.output<typeof endpointHealth>;

/** Number of different consecutive deliveries that must fail to suspend an endpoint. */
export const FAILURES_TO_SUSPEND = 20;

/** Interval between probes of a suspended endpoint. */
export const PROBE_INTERVAL_MS = 60_000;

/** Minimum duration of a slow attempt, successful or not. It marks the endpoint as slow for {@link SLOW_PERIOD_MS}. */
export const SLOW_ATTEMPT_MS = 5_000;
export const SLOW_PERIOD_MS = 10 * 60_000;

/** A failure this long after the first one, and no later than {@link MAX_FAILURE_DISTANCE_MS}, starts the failure clock. */
const MIN_FAILURE_DISTANCE_MS = 12 * HOUR_MS;
const MAX_FAILURE_DISTANCE_MS = 24 * HOUR_MS;
/** Time after the start of the failure clock after which an endpoint is disabled. */
const MAX_FAILING_MS = 5 * 24 * HOUR_MS;

/** Whether the recent failures require suspending the endpoint. */
export const shouldSuspend = ({ failed, parked_at }: EndpointHealth): boolean =>
  parked_at === undefined && (failed?.size ?? 0) >= FAILURES_TO_SUSPEND;

/** The recorded times of continuous failure. */
export type FailureClock = Pick<EndpointHealth, "first_failed_at" | "failing_since">;

/**
 * Returns the failure clock after a failure at `nowMs` (epoch ms). It starts once failures are 12 h apart within 24 h,
 * so sporadic failures never start it. A success resets it.
 */
export function advanceFailureClock({ first_failed_at, failing_since }: FailureClock, nowMs: number): FailureClock {
  const now = new Date(nowMs).toISOString();
  if (failing_since !== undefined && first_failed_at !== undefined) return { first_failed_at, failing_since };
  const ageMs = first_failed_at === undefined ? Number.POSITIVE_INFINITY : nowMs - Date.parse(first_failed_at);
  if (first_failed_at === undefined || ageMs > MAX_FAILURE_DISTANCE_MS) return { first_failed_at: now };
  return ageMs >= MIN_FAILURE_DISTANCE_MS ? { first_failed_at, failing_since: now } : { first_failed_at };
}

/** Whether an endpoint has failed long enough to be disabled. */
export const shouldDisable = ({ failing_since }: FailureClock, nowMs: number): boolean =>
  failing_since !== undefined && nowMs - Date.parse(failing_since) >= MAX_FAILING_MS;

/** Whether an endpoint counts as slow at `nowMs`. */
export const isSlow = ({ slow_until }: EndpointHealth, nowMs: number): boolean =>
  slow_until !== undefined && Date.parse(slow_until) > nowMs;

/** Whether a success changes the recorded health. */
export const hasRecordedFailures = ({ failed, first_failed_at, parked_at }: EndpointHealth): boolean =>
  failed !== undefined || first_failed_at !== undefined || parked_at !== undefined;
