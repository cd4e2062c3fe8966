import { sendMessage, updateItem } from "../../../contract/access.ts";
import { bulkWork } from "../../../contract/queues.ts";
import { bulkSteps, throttles } from "../../../contract/resources.ts";
import { type BulkStep, bulkStepRef } from "../../../domain/connections/bulk-op.ts";
import { type ConnectionPoll, connectionPollRef } from "../../../domain/connections/pulls/connection-poll.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

/** Grants the scope of a record's team. */
type ScopeOf = (teamId: string) => TeamScope;

type PollDependencies = Dependencies<"connectionPolls" | "throttles" | "connectionPulls">;

export type PollStepDependencies = Dependencies<"bulkSteps" | "throttles" | "bulkWork">;

/** Grants of {@link dispatchDueSteps}. */
export const dispatchDueStepsAccess = [updateItem(bulkSteps), updateItem(throttles), sendMessage(bulkWork)] as const;

/** Result of a dispatch. */
export interface DispatchResult {
  readonly started: number;
  /** When the next record is due, ISO 8601. */
  readonly nextDueAt: string | undefined;
}

/** Delay before the sweeper resends a step whose message may be lost. */
export const STEP_RETRY_MS = 10 * 60_000;

const isoAt = (ms: number) => new Date(ms).toISOString();

/** Dispatches due polls up to the throttle of each provider, and postpones the rest. */
export async function dispatchDuePolls(
  { connectionPolls, throttles, connectionPulls }: PollDependencies,
  upcoming: readonly ConnectionPoll[],
  scopeOf: ScopeOf,
): Promise<DispatchResult> {
  const { started, nextDueAt } = await startDue(upcoming, scopeOf, async (poll, scope, nowMs) => {
    // Requested polls bypass the throttle: the caller waits, and requests are limited to a few per hour.
    const roomAtMs = poll.asked_at ? undefined : await throttles.reserve(scope, poll.provider, nowMs);
    if (roomAtMs === undefined) return { isStarted: true };
    await connectionPolls.replace(scope, poll, { ...poll, due_at: isoAt(roomAtMs) });
    return { isStarted: false, againAtMs: roomAtMs };
  });
  await connectionPulls.sendAll(started.map((poll) => connectionPollRef.parse(poll)));
  return { started: started.length, nextDueAt };
}

/** Dispatches due steps. Steps that pull histories are throttled per provider, and the rest postponed. */
export async function dispatchDueSteps(
  { bulkSteps, throttles, bulkWork }: PollStepDependencies,
  upcoming: readonly BulkStep[],
  scopeOf: ScopeOf,
): Promise<DispatchResult> {
  const { started, nextDueAt } = await startDue(upcoming, scopeOf, async (step, scope, nowMs) => {
    const isThrottled = step.type === "link_bulk_historical_trigger";
    const roomAtMs = isThrottled ? await throttles.reserve(scope, step.provider, nowMs) : undefined;
    const againAtMs = roomAtMs ?? nowMs + STEP_RETRY_MS;
    const isMine = await bulkSteps.postpone(scope, step, isoAt(againAtMs));
    return { isStarted: isMine && roomAtMs === undefined, againAtMs };
  });
  await bulkWork.sendAll(started.map((step) => bulkStepRef.parse(step)));
  return { started: started.length, nextDueAt };
}

/** A record with a due time, ISO 8601. Without a due time it is due now. */
interface Upcoming {
  readonly team_id: string;
  readonly due_at?: string | undefined;
}

/** Starts the records that are due. @param start says whether the record starts, and when it is due again, epoch ms. */
async function startDue<T extends Upcoming>(
  upcoming: readonly T[],
  scopeOf: ScopeOf,
  start: (one: T, scope: TeamScope, nowMs: number) => Promise<{ isStarted: boolean; againAtMs?: number }>,
): Promise<{ started: T[]; nextDueAt: string | undefined }> {
  const nowMs = ports().clock.now();
  const isDue = ({ due_at = "" }: T) => due_at <= isoAt(nowMs);
  const started: T[] = [];
  const nextMs = upcoming.filter((one) => !isDue(one)).map(({ due_at = "" }) => Date.parse(due_at));
  for (const one of upcoming.filter(isDue)) {
    const { isStarted, againAtMs } = await start(one, scopeOf(one.team_id), nowMs);
    if (isStarted) started.push(one);
    if (againAtMs !== undefined) nextMs.push(againAtMs);
  }
  return { started, nextDueAt: nextMs.length > 0 ? isoAt(Math.min(...nextMs)) : undefined };
}
