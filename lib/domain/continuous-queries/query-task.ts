import * as z from "zod";

/** Work on one continuous query for one user: the days that changed, and when they are due to be computed. */
export const queryTask = z.object({
  team_id: z.string(),
  user_id: z.string(),
  query_id: z.string(),
  query_slug: z.string(),
  /** Counts every change of the task. */
  revision: z.number().int(),
  /** Days counted from 1970-01-01 that changed since the last computation was begun. */
  changed_days: z.set(z.number()).optional(),
  /** When the first of them was noted, ISO 8601. */
  scheduled_at: z.string().optional(),
  /** When the next computation may begin, ISO 8601; absent while there is nothing to do. */
  due_at: z.string().optional(),
  /** Before this no computation may begin, ISO 8601: the query wants so much time between two. */
  not_before: z.string().optional(),
  /** Days that a computation is about, until it has ended. */
  running_days: z.set(z.number()).optional(),
  run_id: z.string().optional(),
  /** Whether everything before was computed once. */
  has_begun: z.boolean().optional(),
});
export type QueryTask = z.output<typeof queryTask>;

/** Names a task. */
export const queryTaskMessage = queryTask.pick({ team_id: true, user_id: true, query_id: true });
export type QueryTaskMessage = z.output<typeof queryTaskMessage>;

export const taskStatuses = ["scheduled", "started", "completed", "error", "skipped"] as const;

/** One computation as answered (wire reference, 8). */
export const wireTask = z
  .object({
    query_id: z.guid(),
    user_id: z.guid(),
    status: z.enum(taskStatuses),
    scheduled_at: z.string(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    error_details: z.string().nullable(),
  })
  .meta({ id: "ContinuousQueryTask" });
export type WireTask = z.output<typeof wireTask>;

/** Events of one batch come within seconds; a computation waits for them. */
export const SETTLING_MS = 10_000;
/** A computation has ended for sure this long after it began. */
export const RUN_MS = 5 * 60_000;
/** Time between two computations for one user where the query says nothing of it. */
export const DEFAULT_GAP_S = 1_800;
