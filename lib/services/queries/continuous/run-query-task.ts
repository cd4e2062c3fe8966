import { conditionCheckItem, deleteItem, getItem, grants, putItem, queryItems } from "../../../contract/access.ts";
import {
  continuousQueries,
  outbox,
  queryResults,
  queryTasks,
  sourcePriorities,
  teams,
  users,
} from "../../../contract/resources.ts";
import type { ContinuousQuery } from "../../../domain/queries/continuous/continuous-query.ts";
import {
  DEFAULT_QUERY_GAP_S,
  MAX_QUERY_RUN_MS,
  type QueryTask,
  type QueryTaskMessage,
  type WireQueryTask,
} from "../../../domain/queries/continuous/query-task.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { readRowsAccess } from "../read-rows.ts";
import { type ComputeResultsDependencies, computeChangedDays } from "./compute-results.ts";

/** Grants of {@link runQueryTask}, besides those of the budget. */
export const runQueryTaskAccess = grants(
  [getItem(users), conditionCheckItem(users), getItem(continuousQueries)],
  [getItem(sourcePriorities), getItem(teams)],
  [getItem(queryTasks), putItem(queryTasks)],
  readRowsAccess,
  [queryItems(queryResults), putItem(queryResults), deleteItem(queryResults), putItem(outbox)],
);

/** Delay of a task whose user is deleted but may be restored. */
const POSTPONE_MS = 3_600_000;

/**
 * Runs a due task under a lease. If a run dies, the next run takes over its days when the lease expires.
 * Changes during a run are left to the next run, which starts after the minimum gap of the query.
 */
export async function runQueryTask(
  scope: TeamScope,
  of: QueryTaskMessage,
  deps: ComputeResultsDependencies,
): Promise<void> {
  const task = await deps.queryTasks.update(of, claimTask);
  if (!task?.run_id) return;
  const user = await deps.users.get(scope, of.user_id);
  if (!user) return postponeTask(task, deps, ports().clock.now() + POSTPONE_MS);
  const query = await deps.continuousQueries.get(scope, task.query_slug);
  const started_at = isoNow();
  const about = {
    query_id: of.query_id,
    user_id: of.user_id,
    scheduled_at: task.scheduled_at ?? started_at,
    started_at,
  };
  const note = (status: WireQueryTask["status"], ended_at: string | null, error_details: string | null = null) =>
    deps.queryTasks.recordRun(of, { ...about, status, ended_at, error_details }, ports().clock.now());
  if (query?.status !== "active") {
    await note("skipped", isoNow());
    await endRun(task, query, deps);
    return;
  }
  const spentUntil = await deps.budget.reserveRun();
  if (spentUntil !== undefined) return postponeTask(task, deps, spentUntil);
  await note("started", null);
  try {
    await computeChangedDays(deps, scope, user, query, task);
  } catch (error) {
    await note("error", isoNow(), "The result could not be computed; the service tries again.");
    throw error;
  }
  await note("completed", isoNow());
  await endRun(task, query, deps);
}

/** Claims all changed days, and those of a run that died. Undefined if nothing is due. */
function claimTask(task: QueryTask): QueryTask | undefined {
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
    due_at: new Date(now + MAX_QUERY_RUN_MS).toISOString(),
  };
}

/**
 * Postpones the days of a run, for a team with an exhausted budget, or a deleted user who may be restored. The erasure
 * of the user deletes the task.
 */
async function postponeTask(
  run: QueryTask,
  { queryTasks }: ComputeResultsDependencies,
  untilMs: number,
): Promise<void> {
  const due_at = new Date(untilMs).toISOString();
  await queryTasks.update(run, (task) =>
    task.run_id === run.run_id ? { ...task, run_id: undefined, due_at } : undefined,
  );
}

/** Ends a run. Changes since its start are due after the minimum gap, which exceeds the maximum delay of a message. */
async function endRun(
  run: QueryTask,
  query: ContinuousQuery | undefined,
  deps: ComputeResultsDependencies,
): Promise<void> {
  const gapS = query?.scheduling_preferences.minimum_gap_duration_second ?? DEFAULT_QUERY_GAP_S;
  const next = new Date(ports().clock.now() + gapS * 1000).toISOString();
  await deps.queryTasks.update(run, (task) => {
    if (task.run_id !== run.run_id) return undefined;
    const isMore = (task.changed_days?.size ?? 0) > 0;
    const ended = { ...task, running_days: undefined, run_id: undefined, scheduled_at: undefined, due_at: undefined };
    return { ...ended, has_begun: true, not_before: next, ...(isMore ? { scheduled_at: isoNow(), due_at: next } : {}) };
  });
}
