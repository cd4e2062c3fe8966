import * as z from "zod";
import { HOUR_MS } from "../../domain/shared/durations.ts";

/** Identifies a team's endpoint. */
export type EndpointReference = { readonly team_id: string; readonly endpoint_id: string };

/**
 * Recent health of an endpoint. It is stored apart from the settings, so that updates of either never conflict. An
 * endpoint without an attempt has no item.
 */
export const endpointHealth = z.object({
  team_id: z.string(),
  endpoint_id: z.string(),
  /** Ids of events whose deliveries failed, by an outage, since the last success or refusal. */
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
  /** From when on the endpoint counts as prompt. Absent until an attempt was prompt, and after a slow one. */
  prompt_from: z.string().optional(),
});
export type EndpointHealth = z.output<typeof endpointHealth>;

/** Statuses of 4xx by which a receiver refuses no message, but does not work at the moment. */
const outageStatuses: readonly number[] = [408, 425, 429];

/**
 * A failed attempt as its endpoint's health counts it: a sign of an outage; a pause that the receiver requested; or a
 * refusal of this message by a receiver that works (docs/decisions/0029-a-refusal-is-no-outage.md).
 */
export interface Failure {
  readonly kind: "outage" | "pause" | "refusal";
  readonly eventId: string;
}

/** Returns the kind of a failure by its status, which is 0 without a whole response. */
export function failureKind(status: number, requestsPause: boolean): Failure["kind"] {
  if (requestsPause) return "pause";
  return status >= 400 && status < 500 && !outageStatuses.includes(status) ? "refusal" : "outage";
}

/** Number of different consecutive deliveries that must fail to suspend an endpoint. */
export const FAILURES_TO_SUSPEND = 20;

/** Interval between probes of a suspended endpoint. */
export const PROBE_INTERVAL_MS = 60_000;

/** Duration below which an attempt is prompt, successful or not. */
export const PROMPT_ATTEMPT_MS = 1_000;
/** How long an endpoint does not count as prompt after an attempt that was neither prompt nor slow. */
const LAGGING_PERIOD_MS = 60_000;

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
export const isSlow = ({ slow_until }: Pick<EndpointHealth, "slow_until">, nowMs: number): boolean =>
  slow_until !== undefined && Date.parse(slow_until) > nowMs;

/** Whether attempts at an endpoint are known to be prompt at `nowMs`. The others need a slot. */
export const isPrompt = ({ prompt_from, slow_until }: EndpointHealth, nowMs: number): boolean =>
  prompt_from !== undefined && Date.parse(prompt_from) <= nowMs && !isSlow({ slow_until }, nowMs);

/**
 * Returns what an attempt changes in how fast its endpoint is known to be; undefined if nothing. After `slow_until`
 * nothing else is known. Slow attempts change it at most once a minute.
 */
export function speedAfter(
  known: EndpointHealth,
  tookMs: number,
  nowMs: number,
): { slow_until: string; slow_ms: number } | { prompt_from: string } | undefined {
  const isoIn = (periodMs: number) => new Date(nowMs + periodMs).toISOString();
  if (tookMs >= SLOW_ATTEMPT_MS) {
    if (isSlow(known, nowMs + SLOW_PERIOD_MS - PROBE_INTERVAL_MS)) return undefined;
    return { slow_until: isoIn(SLOW_PERIOD_MS), slow_ms: tookMs };
  }
  if (tookMs >= PROMPT_ATTEMPT_MS)
    return isPrompt(known, nowMs) ? { prompt_from: isoIn(LAGGING_PERIOD_MS) } : undefined;
  return known.prompt_from !== undefined || isSlow(known, nowMs) ? undefined : { prompt_from: isoIn(0) };
}

/** Whether a success changes the recorded health. */
export const hasRecordedFailures = ({ failed, first_failed_at, parked_at }: EndpointHealth): boolean =>
  failed !== undefined || first_failed_at !== undefined || parked_at !== undefined;
