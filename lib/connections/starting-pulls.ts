import { type BulkStep, bulkStepName } from "../domain/linking/bulk-op.ts";
import { type ConnectionPoll, pollName } from "../domain/linking/connection-poll.ts";
import { ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import type { BulkStepStore } from "../store/linking/bulk-steps.ts";
import type { ConnectionPollStore } from "../store/linking/connection-polls.ts";
import type { ThrottleStore } from "../store/linking/throttles.ts";
import type { TeamScope } from "../store/team-scope.ts";

/** Grants the scope of a record's team. */
type ScopeOf = (teamId: string) => TeamScope;

interface PollUses {
  readonly connectionPolls: ConnectionPollStore;
  readonly throttles: ThrottleStore;
  readonly connectionPulls: Queue;
}

export interface StepUses {
  readonly bulkSteps: BulkStepStore;
  readonly throttles: ThrottleStore;
  readonly bulkWork: Queue;
}

/** Result of a dispatch. */
export interface Started {
  readonly started: number;
  /** When the next record is due, ISO 8601. */
  readonly nextDueAt: string | undefined;
}

/** Delay before the sweeper resends a step whose message may be lost. */
export const STEP_MS = 10 * 60_000;

const isoAt = (ms: number) => new Date(ms).toISOString();
const isDue = (now: string) => (one: { readonly due_at?: string | undefined }) => (one.due_at ?? now) <= now;

/** Dispatches due polls up to the throttle of each provider, and postpones the rest. */
export async function startPolls(
  { connectionPolls, throttles, connectionPulls }: PollUses,
  upcoming: readonly ConnectionPoll[],
  scopeOf: ScopeOf,
): Promise<Started> {
  const nowMs = ports().clock.now();
  const due = isDue(isoAt(nowMs));
  const begun: ConnectionPoll[] = [];
  const later: (number | undefined)[] = upcoming
    .filter((poll) => !due(poll))
    .map(({ due_at = "" }) => Date.parse(due_at));
  for (const poll of upcoming.filter(due)) {
    const scope = scopeOf(poll.team_id);
    // Requested polls bypass the throttle: the caller waits, and requests are limited to a few per hour.
    const roomAtMs = poll.asked_at ? undefined : await throttles.take(scope, poll.provider, nowMs);
    if (roomAtMs === undefined) begun.push(poll);
    else await connectionPolls.replace(scope, poll, { ...poll, due_at: isoAt(roomAtMs) });
    later.push(roomAtMs);
  }
  await connectionPulls.sendAll(begun.map((poll) => pollName.parse(poll)));
  return { started: begun.length, nextDueAt: earliest(later) };
}

/** Dispatches due steps. Steps that pull histories are throttled per provider, and the rest postponed. */
export async function startSteps(
  { bulkSteps, throttles, bulkWork }: StepUses,
  upcoming: readonly BulkStep[],
  scopeOf: ScopeOf,
): Promise<Started> {
  const nowMs = ports().clock.now();
  const due = isDue(isoAt(nowMs));
  const begun: BulkStep[] = [];
  const later: (number | undefined)[] = upcoming
    .filter((step) => !due(step))
    .map(({ due_at = "" }) => Date.parse(due_at));
  for (const step of upcoming.filter(due)) {
    const scope = scopeOf(step.team_id);
    const isThrottled = step.type === "link_bulk_historical_trigger";
    const roomAtMs = isThrottled ? await throttles.take(scope, step.provider, nowMs) : undefined;
    const againAtMs = roomAtMs ?? nowMs + STEP_MS;
    const isMine = await bulkSteps.postpone(scope, step, isoAt(againAtMs));
    if (isMine && roomAtMs === undefined) begun.push(step);
    later.push(againAtMs);
  }
  await bulkWork.sendAll(begun.map((step) => bulkStepName.parse(step)));
  return { started: begun.length, nextDueAt: earliest(later) };
}

/** @param instants epoch milliseconds. @returns ISO 8601. */
function earliest(instants: readonly (number | undefined)[]): string | undefined {
  const first = Math.min(...instants.filter((ms) => ms !== undefined));
  return Number.isFinite(first) ? isoAt(first) : undefined;
}
