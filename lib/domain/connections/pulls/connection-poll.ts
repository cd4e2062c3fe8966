import * as z from "zod";
import { type PushComparison, unpushedData } from "../health/unpushed-data.ts";
import { pullRef } from "./historical-pull.ts";

/** Reference to a poll: each polled connection has one. */
export const connectionPollRef = pullRef.omit({ resource: true });
export type ConnectionPollRef = z.output<typeof connectionPollRef>;

const outcome = z.enum(["success", "failure"]);
/** Last pull of a resource, as introspection returns it. */
const pullAttempt = z.object({ timestamp: z.string(), status: outcome });
export type PullAttempt = z.output<typeof pullAttempt>;

/** Stored poll of a connection: progress of pulling new data, and the next due time. Instants are ISO 8601. */
export const connectionPoll = connectionPollRef.extend({
  /** Creation time of the connection, which identifies it. */
  connected_on: z.string(),
  /** Data before this time is already pulled, or belongs to the historical pull. */
  pulled_until: z.string(),
  /** Last attempts by resource. */
  attempts: z.record(z.string(), pullAttempt),
  /** Number of consecutive incomplete runs. */
  failures: z.int(),
  /** Outcome of the last run. */
  status: outcome.nullable(),
  /** Time of a requested run; absent once the next run has ended. */
  asked_at: z.string().optional(),
  /** Time of the last message that starts a run; absent once the run has begun. */
  sent_at: z.string().optional(),
  /** End of the lease of a running run. */
  run_until: z.string().optional(),
  /** Data that runs found and no push has delivered yet. */
  unpushed: unpushedData.optional(),
  /** Due time of the next run; absent for a provider without polling. */
  due_at: z.string().optional(),
  /** Number of changes, for optimistic concurrency. */
  version: z.int(),
});
export type ConnectionPoll = z.output<typeof connectionPoll>;

/** Creates the poll of a new connection. @param dueAt undefined for a provider that must not be polled. */
export function newConnectionPoll(
  name: ConnectionPollRef,
  connectedOn: string,
  dueAt: string | undefined,
): ConnectionPoll {
  const about = { ...connectionPollRef.parse(name), connected_on: connectedOn, pulled_until: connectedOn };
  return { ...about, attempts: {}, failures: 0, status: null, version: 1, ...(dueAt ? { due_at: dueAt } : {}) };
}

/** Whether a run is in progress. @param now ISO 8601. */
export const isPollRunning = ({ run_until }: ConnectionPoll, now: string): boolean =>
  run_until !== undefined && run_until > now;

/** Whether a requested run is still pending or in progress. @param now ISO 8601. */
export const isPollAwaited = (poll: ConnectionPoll, now: string): boolean =>
  poll.asked_at !== undefined || isPollRunning(poll, now);

/** Requests a run now; no change if a run is in progress. */
export function requestPoll(poll: ConnectionPoll, now: string): ConnectionPoll {
  return isPollRunning(poll, now) ? poll : { ...poll, asked_at: now, due_at: now };
}

/** Whether a message may start a run: the poll is due, or the sweeper sent it. @param now ISO 8601. */
export const isPollDue = ({ due_at, sent_at }: ConnectionPoll, now: string): boolean =>
  due_at !== undefined && (due_at <= now || sent_at !== undefined);

/** Marks a due poll as sent. @param again when it is due again if its message is lost, ISO 8601. */
export const markPollSent = (poll: ConnectionPoll, now: string, again: string): ConnectionPoll => ({
  ...poll,
  sent_at: now,
  due_at: again,
});

/** Postpones a poll without a run. @param until ISO 8601. */
export const postponePoll = ({ sent_at: _, ...poll }: ConnectionPoll, until: string): ConnectionPoll => ({
  ...poll,
  due_at: until,
});

/** Claims a poll for one run. @param until end of the lease, after which another run may claim the poll. */
export const claimPoll = (poll: ConnectionPoll, until: string): ConnectionPoll => ({
  ...postponePoll(poll, until),
  run_until: until,
});

/** Removes a poll from the schedule, until the user connects again. */
export function unschedulePoll({
  due_at: _,
  run_until: _run,
  asked_at: _asked,
  sent_at: _sent,
  ...poll
}: ConnectionPoll): ConnectionPoll {
  return poll;
}

/** Outcome of a run. */
export interface PollRunResult {
  readonly attempts: ConnectionPoll["attempts"];
  /** End of the pulled time range, ISO 8601. */
  readonly pulledUntil: string;
  readonly isWhole: boolean;
  /** Time from which the provider accepts requests again, epoch ms. */
  readonly retryAtMs?: number | undefined;
}

const FIRST_BACKOFF_MS = 5 * 60_000;
const MAX_BACKOFF_MS = 6 * 3_600_000;

/** Applies the outcome of a run. @param everyMs polling interval; undefined for a provider that must not be polled. */
export function applyPollRun(poll: ConnectionPoll, run: PollRunResult, nowMs: number, everyMs: number | undefined) {
  const failures = run.isWhole ? 0 : poll.failures + 1;
  const pause = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  const dueMs = run.isWhole || everyMs === undefined ? everyMs : Math.max(pause, (run.retryAtMs ?? 0) - nowMs);
  const after: ConnectionPoll = {
    ...unschedulePoll(poll),
    attempts: { ...poll.attempts, ...run.attempts },
    pulled_until: run.isWhole ? run.pulledUntil : poll.pulled_until,
    status: run.isWhole ? "success" : "failure",
    failures,
  };
  return dueMs === undefined ? after : { ...after, due_at: new Date(nowMs + dueMs).toISOString() };
}

/** Adds what a run has shown about pushes. A push that is due before the next run brings that run forward. */
export function addComparison(poll: ConnectionPoll, { unpushed, againAtMs }: PushComparison): ConnectionPoll {
  const { unpushed: _, ...rest } = poll;
  const compared = Object.keys(unpushed).length === 0 ? rest : { ...rest, unpushed };
  if (poll.due_at === undefined || againAtMs === undefined || Date.parse(poll.due_at) <= againAtMs) return compared;
  return { ...compared, due_at: new Date(againAtMs).toISOString() };
}

/** Maximum number of refreshes of one user per window. */
export const MAX_REFRESHES_PER_WINDOW = 8;
/** Length of the sliding window of refreshes. */
const REFRESH_WINDOW_MS = 3_600_000;

/** Adds a refresh to the recent ones, oldest first; or returns when the next refresh is allowed. Epoch milliseconds. */
export function addRefresh(earlier: readonly number[], nowMs: number): number[] | { readonly atMs: number } {
  const recent = earlier.filter((ms) => ms > nowMs - REFRESH_WINDOW_MS);
  const [oldest = nowMs] = recent;
  return recent.length < MAX_REFRESHES_PER_WINDOW ? [...recent, nowMs] : { atMs: oldest + REFRESH_WINDOW_MS };
}
