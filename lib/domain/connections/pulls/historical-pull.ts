import * as z from "zod";
import { DAY_MS } from "../../shared/durations.ts";
import { historyRanges } from "./history-ranges.ts";

/** Statuses of a historical pull. */
export const pullStatuses = ["scheduled", "in_progress", "retrying", "success", "failure"] as const;

/** Reasons for a retry, or for the failure of a pull. */
export const pullErrors = [
  "provider_rate_limit_exceeded",
  "provider_unavailable",
  "non_retriable_error",
  "retry_quota_exhausted",
] as const;
export type PullError = (typeof pullErrors)[number];

/** Reference to a pull: a connection has one for each resource. */
export const pullRef = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  resource: z.string(),
});
export type PullRef = z.output<typeof pullRef>;

/** Stored historical pull of one resource of a connection, window by window. Instants are ISO 8601. */
export const historicalPull = pullRef.extend({
  /** Creation time of the connection, which identifies it. */
  connected_on: z.string(),
  status: z.enum(pullStatuses),
  range_start: z.string(),
  range_end: z.string(),
  /** Data before this time is already pulled or skipped. */
  pulled_until: z.string(),
  /** Time ranges of the received data. */
  ranges: historyRanges,
  /** Days (UTC) with received data. */
  days: z.array(z.string()).default([]),
  /** Time of the last receipt, epoch milliseconds. */
  received_at: z.number(),
  /** Numbers of pulled and of skipped windows; absent in records of an earlier version. */
  windows_pulled: z.int().default(0),
  windows_skipped: z.int().default(0),
  /** Number of consecutive failed attempts at the current window. */
  attempts: z.int(),
  scheduled_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error_details: z.enum(pullErrors).nullable(),
  /** Time at which the sweeper continues the pull; absent once the pull has ended. */
  due_at: z.string().optional(),
});
export type HistoricalPull = z.output<typeof historicalPull>;

/** Bounds of the pulled time range, epoch milliseconds. */
interface Bounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Creates a pull that is due now.
 * @param days days of history.
 * @returns undefined if the bounds leave no time range.
 */
export function newHistoricalPull(
  name: PullRef,
  { connectedOn, now, days, bounds }: { connectedOn: string; now: string; days: number; bounds: Bounds },
): HistoricalPull | undefined {
  const startMs = Math.max(bounds.fromMs, Date.parse(now) - days * DAY_MS);
  const endMs = Math.min(bounds.untilMs, Date.parse(now));
  if (startMs >= endMs) return undefined;
  const start = new Date(startMs).toISOString();
  return {
    ...name,
    connected_on: connectedOn,
    status: "scheduled",
    range_start: start,
    range_end: new Date(endMs).toISOString(),
    pulled_until: start,
    ranges: {},
    days: [],
    received_at: Date.parse(now),
    windows_pulled: 0,
    windows_skipped: 0,
    attempts: 0,
    scheduled_at: now,
    started_at: null,
    ended_at: null,
    error_details: null,
    due_at: now,
  };
}

/** Next window of a pull; undefined at the end of the range. @param days maximum length of a window. */
export function nextWindow({ pulled_until, range_end }: HistoricalPull, days: number) {
  const startMs = Date.parse(pulled_until);
  const endMs = Math.min(Date.parse(range_end), startMs + days * DAY_MS);
  return startMs < endMs ? { startMs, endMs } : undefined;
}

/** Ends a pull. @param error_details null for success. */
export function endPull(pull: HistoricalPull, now: string, error_details: PullError | null): HistoricalPull {
  const { due_at: _, ...rest } = pull;
  return { ...rest, status: error_details === null ? "success" : "failure", error_details, ended_at: now };
}

/**
 * Advances a pull past a window that ends at `endMs`. At the end of the range, a pull without any pulled window fails.
 */
function advancePast(pull: HistoricalPull, endMs: number, now: string, error: PullError): HistoricalPull {
  const next = { ...pull, pulled_until: new Date(endMs).toISOString(), attempts: 0, error_details: null, due_at: now };
  if (nextWindow(next, 1)) return { ...next, status: "in_progress" };
  return endPull(next, now, next.windows_pulled > 0 ? null : error);
}

/** Records a pulled window that ends at `endMs`. @param now ISO 8601. */
export const completeWindow = (pull: HistoricalPull, endMs: number, now: string): HistoricalPull =>
  advancePast({ ...pull, windows_pulled: pull.windows_pulled + 1 }, endMs, now, "non_retriable_error");

/** Skips a window that the provider refuses; the pull continues with the next one. @param now ISO 8601. */
export const skipWindow = (pull: HistoricalPull, endMs: number, now: string): HistoricalPull =>
  advancePast({ ...pull, windows_skipped: pull.windows_skipped + 1 }, endMs, now, "non_retriable_error");

const FIRST_BACKOFF_MS = 60_000;
const MAX_ATTEMPTS_PER_WINDOW = 8;

/** Schedules a retry of the window that ends at `endMs`, with exponential backoff; skips it after the last attempt. */
export function retryWindow(pull: HistoricalPull, endMs: number, nowMs: number): HistoricalPull {
  const attempts = pull.attempts + 1;
  if (attempts >= MAX_ATTEMPTS_PER_WINDOW) {
    const skipped = { ...pull, windows_skipped: pull.windows_skipped + 1 };
    return advancePast(skipped, endMs, new Date(nowMs).toISOString(), "retry_quota_exhausted");
  }
  const due_at = new Date(nowMs + FIRST_BACKOFF_MS * 2 ** pull.attempts).toISOString();
  return { ...pull, status: "retrying", attempts, error_details: "provider_unavailable", due_at };
}

/** Postpones a pull after the provider's rate limit. @param retryAtMs epoch ms. */
export function postponePull(pull: HistoricalPull, retryAtMs: number): HistoricalPull {
  const due_at = new Date(retryAtMs).toISOString();
  return { ...pull, status: "retrying", error_details: "provider_rate_limit_exceeded", due_at };
}
