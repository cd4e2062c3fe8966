import type { ContinuousQuery } from "../../domain/continuous-queries/continuous-query.ts";
import {
  DEFAULT_GAP_S,
  type QueryTask,
  type QueryTaskMessage,
  RUN_MS,
  type WireTask,
} from "../../domain/continuous-queries/query-task.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { isoNow, ports } from "../ports.ts";
import { type ComputingUses, computeDays } from "./computing.ts";

/** Delay of a task whose user is deleted but may be restored. */
const PUT_OFF_MS = 3_600_000;

/**
 * Runs a due task under a lease. If a run dies, the next run takes over its days when the lease expires.
 * Changes during a run are left to the next run, which starts after the minimum gap of the query.
 */
export async function runTask(scope: TeamScope, of: QueryTaskMessage, uses: ComputingUses): Promise<void> {
  const task = await uses.queryTasks.change(of, begun);
  if (!task?.run_id) return;
  const user = await uses.users.get(scope, of.user_id);
  if (!user) return putOff(task, uses, ports().clock.now() + PUT_OFF_MS);
  const query = await uses.continuousQueries.find(scope, task.query_slug);
  const started_at = isoNow();
  const about = {
    query_id: of.query_id,
    user_id: of.user_id,
    scheduled_at: task.scheduled_at ?? started_at,
    started_at,
  };
  const note = (status: WireTask["status"], ended_at: string | null, error_details: string | null = null) =>
    uses.queryTasks.noteRun(of, { ...about, status, ended_at, error_details }, ports().clock.now());
  if (query?.status !== "active") {
    await note("skipped", isoNow());
    await end(task, query, uses);
    return;
  }
  const spentUntil = await uses.budget.spentUntil();
  if (spentUntil !== undefined) return putOff(task, uses, spentUntil);
  await note("started", null);
  try {
    await computeDays(uses, scope, user, query, task);
  } catch (error) {
    await note("error", isoNow(), "The result could not be computed; the service tries again.");
    throw error;
  }
  await note("completed", isoNow());
  await end(task, query, uses);
}

/** Claims all changed days, and those of a run that died. Undefined if nothing is due. */
function begun(task: QueryTask): QueryTask | undefined {
  const now = ports().clock.now();
  if (task.due_at === undefined || Date.parse(task.due_at) > now) return undefined;
  if (task.not_before !== undefined && Date.parse(task.not_before) > now) {
    return { ...task, run_id: undefined, due_at: task.not_before };
  }
  return {
    ...task,
    changed_days: undefined,
    running_days: new Set([...(task.changed_days ?? []), ...(task.running_days ?? [])]),
    run_id: ports().ids.uuid(),
    scheduled_at: task.scheduled_at ?? isoNow(),
    due_at: new Date(now + RUN_MS).toISOString(),
  };
}

/**
 * Postpones the days of a run, for a team with an exhausted budget, or a deleted user who may be restored. The erasure
 * of the user deletes the task.
 */
async function putOff(run: QueryTask, { queryTasks }: ComputingUses, untilMs: number): Promise<void> {
  const due_at = new Date(untilMs).toISOString();
  await queryTasks.change(run, (task) =>
    task.run_id === run.run_id ? { ...task, run_id: undefined, due_at } : undefined,
  );
}

/** Ends a run. Changes since its start are due after the minimum gap, which exceeds the maximum delay of a message. */
async function end(run: QueryTask, query: ContinuousQuery | undefined, uses: ComputingUses): Promise<void> {
  const gapS = query?.scheduling_preferences.minimum_gap_duration_second ?? DEFAULT_GAP_S;
  const next = new Date(ports().clock.now() + gapS * 1000).toISOString();
  await uses.queryTasks.change(run, (task) => {
    if (task.run_id !== run.run_id) return undefined;
    const isMore = (task.changed_days?.size ?? 0) > 0;
    const ended = { ...task, running_days: undefined, run_id: undefined, scheduled_at: undefined, due_at: undefined };
    return { ...ended, has_begun: true, not_before: next, ...(isMore ? { scheduled_at: isoNow(), due_at: next } : {}) };
  });
}
