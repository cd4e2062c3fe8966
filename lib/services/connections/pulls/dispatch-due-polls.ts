import { sendMessage, updateItem } from "../../../contract/access.ts";
import { bulkWork } from "../../../contract/queues.ts";
import { bulkSteps, throttles } from "../../../contract/resources.ts";
import { type BulkStep, bulkStepRef } from "../../../domain/connections/bulk-op.ts";
import {
  type ConnectionPoll,
  connectionPollRef,
  markPollSent,
  postponePoll,
} from "../../../domain/connections/pulls/connection-poll.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { ports } from "../../../runtime/ports.ts";
import type { DueItems } from "../../../store/due-index.ts";
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

/** Delay before the sweeper resends a poll or step whose message may be lost. */
export const RESEND_MS = 10 * 60_000;
/** Polls that a sweep marks at the same time. If it stops then, they wait for the delay. */
const POLLS_AT_ONCE = 50;

const isoAt = (ms: number) => new Date(ms).toISOString();

/**
 * Dispatches due polls up to the throttle of each provider, and postpones the rest. Each poll is marked as sent before
 * its message, so a sweep sends only what no earlier sweep sent, and a poll whose message is lost is due again later.
 */
export async function dispatchDuePolls(
  { connectionPolls, throttles, connectionPulls }: PollDependencies,
  { due, nextDueAt }: DueItems<ConnectionPoll>,
  scopeOf: ScopeOf,
): Promise<DispatchResult> {
  const nowMs = ports().clock.now();
  const claim = async (poll: ConnectionPoll) => {
    const scope = scopeOf(poll.team_id);
    // Requested polls bypass the throttle: the caller waits, and requests are limited to a few per hour.
    const roomAtMs = poll.asked_at ? undefined : await throttles.reserve(scope, poll.provider, nowMs);
    const againAt = isoAt(roomAtMs ?? nowMs + RESEND_MS);
    const after = roomAtMs === undefined ? markPollSent(poll, isoAt(nowMs), againAt) : postponePoll(poll, againAt);
    const isMine = (await connectionPolls.replace(scope, poll, after)) !== undefined;
    return { message: connectionPollRef.parse(poll), isSent: isMine && roomAtMs === undefined, againAt };
  };
  let started = 0;
  const next = nextDueAt === undefined ? [] : [nextDueAt];
  for (let first = 0; first < due.length; first += POLLS_AT_ONCE) {
    const claims = await Promise.all(due.slice(first, first + POLLS_AT_ONCE).map(claim));
    const sent = claims.filter(({ isSent }) => isSent).map(({ message }) => message);
    await connectionPulls.sendAll(sent);
    started += sent.length;
    next.push(...claims.map(({ againAt }) => againAt));
  }
  return { started, nextDueAt: next.toSorted()[0] };
}

/** Dispatches due steps. Steps that pull histories are throttled per provider, and the rest postponed. */
export async function dispatchDueSteps(
  { bulkSteps, throttles, bulkWork }: PollStepDependencies,
  upcoming: readonly BulkStep[],
  scopeOf: ScopeOf,
): Promise<DispatchResult> {
  const nowMs = ports().clock.now();
  const dueAt = ({ due_at = "" }: BulkStep) => due_at;
  const isDue = (step: BulkStep) => dueAt(step) <= isoAt(nowMs);
  const started: BulkStep[] = [];
  const next = upcoming.filter((step) => !isDue(step)).map(dueAt);
  for (const step of upcoming.filter(isDue)) {
    const scope = scopeOf(step.team_id);
    const isThrottled = step.type === "link_bulk_historical_trigger";
    const roomAtMs = isThrottled ? await throttles.reserve(scope, step.provider, nowMs) : undefined;
    const againAt = isoAt(roomAtMs ?? nowMs + RESEND_MS);
    const isMine = await bulkSteps.postpone(scope, step, againAt);
    if (isMine && roomAtMs === undefined) started.push(step);
    next.push(againAt);
  }
  await bulkWork.sendAll(started.map((step) => bulkStepRef.parse(step)));
  return { started: started.length, nextDueAt: next.toSorted()[0] };
}
