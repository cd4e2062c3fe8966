import * as z from "zod";
import { historyRanges } from "./sync-part.ts";

/** Where the pull of a history stands (wire reference, 4). */
export const pullStatuses = ["scheduled", "in_progress", "retrying", "success", "failure"] as const;

/** Why a pull is tried again, or is not any more. */
export const pullErrors = [
  "provider_rate_limit_exceeded",
  "provider_unavailable",
  "non_retriable_error",
  "retry_quota_exhausted",
] as const;
export type PullError = (typeof pullErrors)[number];

/** What names a pull: of a connection there is one for each resource. */
export const pullName = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  resource: z.string(),
});
export type PullName = z.output<typeof pullName>;

/** The pull of the history of one resource of a new connection, window after window. Instants are ISO 8601. */
export const historicalPull = pullName.extend({
  /** The connection, by its time of creation. */
  connected_on: z.string(),
  status: z.enum(pullStatuses),
  range_start: z.string(),
  range_end: z.string(),
  /** Everything before this is pulled. */
  pulled_until: z.string(),
  /** What came so far. */
  ranges: historyRanges,
  /** Days (UTC) of which something came. */
  days: z.array(z.string()).default([]),
  /** When the last of it was received, epoch milliseconds. */
  received_at: z.number(),
  /** Windows that were pulled, and that were given up; both are absent of pulls that an earlier version noted. */
  windows_pulled: z.int().default(0),
  windows_skipped: z.int().default(0),
  /** Attempts in a row that the provider did not answer. */
  attempts: z.int(),
  scheduled_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error_details: z.enum(pullErrors).nullable(),
  /** When somebody has to go on with it at the latest; absent once it ended. */
  due_at: z.string().optional(),
});
export type HistoricalPull = z.output<typeof historicalPull>;

const DAY_MS = 86_400_000;

/** What is pulled at most, epoch milliseconds. */
interface Bounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A pull to be begun now. @param days how far it goes back. @returns undefined where the bounds leave nothing of it. */
export function newPull(
  name: PullName,
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

/** The next window of a pull; undefined once all is pulled. @param days the longest that a window may be. */
export function nextWindow({ pulled_until, range_end }: HistoricalPull, days: number) {
  const startMs = Date.parse(pulled_until);
  const endMs = Math.min(Date.parse(range_end), startMs + days * DAY_MS);
  return startMs < endMs ? { startMs, endMs } : undefined;
}

/** A pull that ended. */
export function ended(pull: HistoricalPull, now: string, error_details: PullError | null): HistoricalPull {
  const { due_at: _, ...rest } = pull;
  return { ...rest, status: error_details === null ? "success" : "failure", error_details, ended_at: now };
}

/** A pull after a window that ended at `endMs`: to be gone on with at once, or over. It failed if no window was pulled. */
function afterWindow(pull: HistoricalPull, endMs: number, now: string, error: PullError): HistoricalPull {
  const next = { ...pull, pulled_until: new Date(endMs).toISOString(), attempts: 0, error_details: null, due_at: now };
  if (nextWindow(next, 1)) return { ...next, status: "in_progress" };
  return ended(next, now, next.windows_pulled > 0 ? null : error);
}

/** A pull of which a window is there. @param now ISO 8601. */
export const afterPulled = (pull: HistoricalPull, endMs: number, now: string): HistoricalPull =>
  afterWindow({ ...pull, windows_pulled: pull.windows_pulled + 1 }, endMs, now, "non_retriable_error");

/** A pull of which a window can not be had: the others may be. @param now ISO 8601. */
export const afterRefused = (pull: HistoricalPull, endMs: number, now: string): HistoricalPull =>
  afterWindow({ ...pull, windows_skipped: pull.windows_skipped + 1 }, endMs, now, "non_retriable_error");

const FIRST_PAUSE_MS = 60_000;
const MOST_ATTEMPTS = 8;

/** A pull of which a window, until `endMs`, is to be tried again, later every time; or was tried often enough. */
export function afterFailure(pull: HistoricalPull, endMs: number, nowMs: number): HistoricalPull {
  const attempts = pull.attempts + 1;
  if (attempts >= MOST_ATTEMPTS) {
    const skipped = { ...pull, windows_skipped: pull.windows_skipped + 1 };
    return afterWindow(skipped, endMs, new Date(nowMs).toISOString(), "retry_quota_exhausted");
  }
  const due_at = new Date(nowMs + FIRST_PAUSE_MS * 2 ** pull.attempts).toISOString();
  return { ...pull, status: "retrying", attempts, error_details: "provider_unavailable", due_at };
}

/** A pull that the provider has told to wait. */
export function afterLimit(pull: HistoricalPull, retryAtMs: number): HistoricalPull {
  const due_at = new Date(retryAtMs).toISOString();
  return { ...pull, status: "retrying", error_details: "provider_rate_limit_exceeded", due_at };
}
