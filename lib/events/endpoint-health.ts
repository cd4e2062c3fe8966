import * as z from "zod";

/** Names the endpoint of a team. */
export type EndpointName = { readonly team_id: string; readonly endpoint_id: string };

/**
 * How an endpoint has answered of late; kept apart from its settings, so that changing those never meets this. Nothing
 * is kept of an endpoint that never failed.
 */
export const endpointHealth = z.object({
  team_id: z.string(),
  endpoint_id: z.string(),
  /** Ids of the events whose deliveries failed since the last success. */
  failed: z.set(z.string()).optional(),
  /** The failure from which on it is judged whether the endpoint fails all the time. */
  first_failed_at: z.string().optional(),
  /** Since when it has failed all the time. */
  failing_since: z.string().optional(),
  /** Since when its deliveries wait, and only probes are sent. */
  parked_at: z.string().optional(),
  /** Until when the receiver asked to be left alone. */
  hold_until: z.string().optional(),
  /** Until when it counts as slow, */
  slow_until: z.string().optional(),
  /** and how long the attempt took that says so, in milliseconds. */
  slow_ms: z.number().optional(),
});
export type EndpointHealth = z.output<typeof endpointHealth>;

/** So many different deliveries in a row have to fail for an endpoint to be parked. */
export const FAILURES_TO_PARK = 20;

/** A parked endpoint is probed so often. */
export const PROBE_INTERVAL_MS = 60_000;

/** An attempt that takes so long, taken or not, makes its endpoint count as slow for {@link SLOW_FOR_MS}. */
export const SLOW_ATTEMPT_MS = 5_000;
export const SLOW_FOR_MS = 10 * 60_000;

const HOUR_MS = 3_600_000;
/** A failure so long after the first one, and no later than {@link CLOCK_WINDOW_MS}, starts the clock. */
const CLOCK_SPAN_MS = 12 * HOUR_MS;
const CLOCK_WINDOW_MS = 24 * HOUR_MS;
/** An endpoint that has failed for so long after its clock started is disabled. */
const LONGEST_FAILING_MS = 5 * 24 * HOUR_MS;

/** Whether the last answers call for waiting until the endpoint works again. */
export const isToBeParked = ({ failed, parked_at }: EndpointHealth): boolean =>
  parked_at === undefined && (failed?.size ?? 0) >= FAILURES_TO_PARK;

/** What is noted of the time in which an endpoint fails. */
export type FailureClock = Pick<EndpointHealth, "first_failed_at" | "failing_since">;

/**
 * The clock after a failure at `nowMs` (epoch ms). It starts once failures lie 12 h apart within 24 h, so sporadic ones
 * never start it; a success ends it.
 */
export function clockAfterFailure({ first_failed_at, failing_since }: FailureClock, nowMs: number): FailureClock {
  const now = new Date(nowMs).toISOString();
  if (failing_since !== undefined && first_failed_at !== undefined) return { first_failed_at, failing_since };
  const ageMs = first_failed_at === undefined ? Number.POSITIVE_INFINITY : nowMs - Date.parse(first_failed_at);
  if (first_failed_at === undefined || ageMs > CLOCK_WINDOW_MS) return { first_failed_at: now };
  return ageMs >= CLOCK_SPAN_MS ? { first_failed_at, failing_since: now } : { first_failed_at };
}

/** Whether an endpoint has failed for so long that it is to be disabled. */
export const isFailingTooLong = ({ failing_since }: FailureClock, nowMs: number): boolean =>
  failing_since !== undefined && nowMs - Date.parse(failing_since) >= LONGEST_FAILING_MS;

/** Whether an endpoint counts as slow at `nowMs`. */
export const isSlow = ({ slow_until }: EndpointHealth, nowMs: number): boolean =>
  slow_until !== undefined && Date.parse(slow_until) > nowMs;

/** Whether a success changes what is known of the endpoint. */
export const hasTrouble = ({ failed, first_failed_at, parked_at }: EndpointHealth): boolean =>
  failed !== undefined || first_failed_at !== undefined || parked_at !== undefined;
