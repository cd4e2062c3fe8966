import * as z from "zod";
import { pullName } from "./historical-pull.ts";

/** What names a connection: of each whose provider is asked for data there is one poll. */
export const pollName = pullName.omit({ resource: true });
export type PollName = z.output<typeof pollName>;

const outcome = z.enum(["success", "failure"]);
/** The last attempt at a resource, as introspection tells it. */
export const pullAttempt = z.object({ timestamp: z.string(), status: outcome });
export type PullAttempt = z.output<typeof pullAttempt>;

/** How far the newest data of a connection is pulled, and when the provider is asked again. Instants are ISO 8601. */
export const connectionPoll = pollName.extend({
  /** The connection, by its time of creation. */
  connected_on: z.string(),
  /** Everything before this is pulled, or is the matter of its history. */
  pulled_until: z.string(),
  /** By resource. */
  attempts: z.record(z.string(), pullAttempt),
  /** Runs in a row that did not get everything. */
  failures: z.int(),
  /** How the last run ended. */
  status: outcome.nullable(),
  /** Since when somebody waits for it; until the next run has ended. */
  asked_at: z.string().optional(),
  /** Until when a run is at it. */
  run_until: z.string().optional(),
  /** When it is to be gone on with; absent where nobody asks the provider by himself. */
  due_at: z.string().optional(),
  /** Counts changes: each is made to what was read. */
  version: z.int(),
});
export type ConnectionPoll = z.output<typeof connectionPoll>;

/** The poll of a new connection. @param dueAt undefined where the provider may not be polled. */
export function newPoll(name: PollName, connectedOn: string, dueAt: string | undefined): ConnectionPoll {
  const about = { ...pollName.parse(name), connected_on: connectedOn, pulled_until: connectedOn };
  return { ...about, attempts: {}, failures: 0, status: null, version: 1, ...(dueAt ? { due_at: dueAt } : {}) };
}

/** Whether a run is at it. @param now ISO 8601. */
export const isRunning = ({ run_until }: ConnectionPoll, now: string): boolean =>
  run_until !== undefined && run_until > now;

/** Whether somebody who asked for it still has to wait. @param now ISO 8601. */
export const isAwaited = (poll: ConnectionPoll, now: string): boolean =>
  poll.asked_at !== undefined || isRunning(poll, now);

/** A poll that is to be run now, or is being run. */
export function asked(poll: ConnectionPoll, now: string): ConnectionPoll {
  return isRunning(poll, now) ? poll : { ...poll, asked_at: now, due_at: now };
}

/** A poll that one run is at. @param until when it has ended for sure, whoever goes on then. */
export const claimed = (poll: ConnectionPoll, until: string): ConnectionPoll => ({
  ...poll,
  run_until: until,
  due_at: until,
});

/** A poll of which nothing is to be done any more, until somebody connects again. */
export function resting({ due_at: _, run_until: _run, asked_at: _asked, ...poll }: ConnectionPoll): ConnectionPoll {
  return poll;
}

/** What came of a run. */
export interface PollRun {
  readonly attempts: ConnectionPoll["attempts"];
  /** ISO 8601; until when everything is pulled now. */
  readonly pulledUntil: string;
  readonly isWhole: boolean;
  /** When the provider said it takes requests again, epoch ms. */
  readonly retryAtMs?: number | undefined;
}

const FIRST_PAUSE_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** A poll after a run. @param everyMs how often the provider is asked; undefined where it may not be polled. */
export function afterRun(poll: ConnectionPoll, run: PollRun, nowMs: number, everyMs: number | undefined) {
  const failures = run.isWhole ? 0 : poll.failures + 1;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  const dueMs = run.isWhole || everyMs === undefined ? everyMs : Math.max(pause, (run.retryAtMs ?? 0) - nowMs);
  const after: ConnectionPoll = {
    ...resting(poll),
    attempts: { ...poll.attempts, ...run.attempts },
    pulled_until: run.isWhole ? run.pulledUntil : poll.pulled_until,
    status: run.isWhole ? "success" : "failure",
    failures,
  };
  return dueMs === undefined ? after : { ...after, due_at: new Date(nowMs + dueMs).toISOString() };
}

/** Users may be refreshed so often, */
export const MOST_REFRESHES = 8;
/** within such a time. */
export const REFRESHES_WITHIN_MS = 3_600_000;

/** Earlier refreshes with one more, oldest first; or when one more may be made. Epoch milliseconds. */
export function oneMoreRefresh(earlier: readonly number[], nowMs: number): number[] | { readonly atMs: number } {
  const recent = earlier.filter((ms) => ms > nowMs - REFRESHES_WITHIN_MS);
  const [oldest = nowMs] = recent;
  return recent.length < MOST_REFRESHES ? [...recent, nowMs] : { atMs: oldest + REFRESHES_WITHIN_MS };
}
