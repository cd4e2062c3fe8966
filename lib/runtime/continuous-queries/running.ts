import type { ContinuousQuery } from "../../domain/continuous-queries/continuous-query.ts";
import {
  DEFAULT_GAP_S,
  type QueryTask,
  type QueryTaskMessage,
  RUN_MS,
  type WireTask,
} from "../../domain/continuous-queries/query-task.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { Log } from "../log.ts";
import { isoNow, ports } from "../ports.ts";
import type { Queue } from "../queue.ts";
import { type ComputingUses, computeDays } from "./computing.ts";
import { startTask } from "./marking.ts";

interface RunningUses extends ComputingUses {
  readonly queryRuns: Pick<Queue, "send">;
}

/**
 * Runs a task that is due. One run at a time is at it; of one that died the next takes over the days when its lease ends.
 * What changes while it runs is left to the next one, which keeps the time that the query wants between two.
 */
export async function runTask(of: QueryTaskMessage, uses: RunningUses, log: Log): Promise<void> {
  const task = await uses.queryTasks.change(of, begun);
  if (!task?.run_id) return;
  const scope = TeamScope.grant(of.team_id);
  const query = await uses.continuousQueries.find(scope, task.query_slug);
  const started_at = isoNow();
  const about = {
    query_id: of.query_id,
    user_id: of.user_id,
    scheduled_at: task.scheduled_at ?? started_at,
    started_at,
  };
  const note = (status: WireTask["status"], ended_at: string | null, error_details: string | null = null) =>
    uses.queryTasks.noteRun(of, task.run_id ?? "", { ...about, status, ended_at, error_details }, ports().clock.now());
  const user = await uses.users.get(scope, of.user_id);
  if (query?.status !== "active" || !user) {
    await note("skipped", isoNow());
    await end(task, query, uses, log);
    return;
  }
  await note("started", null);
  try {
    await computeDays(uses, scope, user, query, task);
  } catch (error) {
    await note("error", isoNow(), "The result could not be computed; it is tried again.");
    throw error;
  }
  await note("completed", isoNow());
  await end(task, query, uses, log);
}

/** Takes all days that changed, with those of a run that died. Undefined where there is nothing to do, or not yet. */
function begun(task: QueryTask): QueryTask | undefined {
  const now = ports().clock.now();
  if (task.due_at === undefined || Date.parse(task.due_at) > now) return undefined;
  if (task.not_before !== undefined && Date.parse(task.not_before) > now) return { ...task, due_at: task.not_before };
  return {
    ...task,
    changed_days: undefined,
    running_days: new Set([...(task.changed_days ?? []), ...(task.running_days ?? [])]),
    run_id: ports().ids.uuid(),
    scheduled_at: task.scheduled_at ?? isoNow(),
    due_at: new Date(now + RUN_MS).toISOString(),
  };
}

async function end(run: QueryTask, query: ContinuousQuery | undefined, uses: RunningUses, log: Log): Promise<void> {
  const gapS = query?.scheduling_preferences.minimum_gap_duration_second ?? DEFAULT_GAP_S;
  const next = new Date(ports().clock.now() + gapS * 1000).toISOString();
  const task = await uses.queryTasks.change(run, (now) => {
    if (now.run_id !== run.run_id) return undefined;
    const isMore = (now.changed_days?.size ?? 0) > 0;
    const { running_days: _, run_id: __, scheduled_at: ___, due_at: ____, ...rest } = now;
    return { ...rest, has_begun: true, not_before: next, ...(isMore ? { scheduled_at: isoNow(), due_at: next } : {}) };
  });
  if (task) await startTask(uses.queryRuns, task, log);
}
