import * as z from "zod";

/** The task of one continuous query and user: the changed days, and when they are due. */
export const queryTask = z.object({
  team_id: z.string(),
  user_id: z.string(),
  query_id: z.string(),
  query_slug: z.string(),
  /** Incremented on every change of the task. */
  revision: z.number().int(),
  /** Days, counted from 1970-01-01, that changed since the last run started. */
  changed_days: z.set(z.number()).optional(),
  /** When the first of them was recorded, ISO 8601. */
  scheduled_at: z.string().optional(),
  /** When the next run may start, ISO 8601; absent without pending days. */
  due_at: z.string().optional(),
  /** Earliest start of the next run, ISO 8601, by the query's minimum gap. */
  not_before: z.string().optional(),
  /** Days of the current run, until it ends. */
  running_days: z.set(z.number()).optional(),
  run_id: z.string().optional(),
  /** Whether the initial run over the whole history is complete. */
  has_begun: z.boolean().optional(),
});
export type QueryTask = z.output<typeof queryTask>;

/** Queue message: the key of a task. */
export const queryTaskMessage = queryTask.pick({ team_id: true, user_id: true, query_id: true });
export type QueryTaskMessage = z.output<typeof queryTaskMessage>;

const queryTaskStatuses = ["scheduled", "started", "completed", "error", "skipped"] as const;

/** One run in its wire form. */
export const wireQueryTask = z
  .object({
    query_id: z.guid(),
    user_id: z.guid(),
    status: z.enum(queryTaskStatuses),
    scheduled_at: z.string(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    error_details: z.string().nullable(),
  })
  .meta({ id: "ContinuousQueryTask" });
export type WireQueryTask = z.output<typeof wireQueryTask>;

/** Debounce time: events of one batch arrive within seconds, and a run waits for them. */
export const QUERY_DEBOUNCE_MS = 10_000;
/** Maximum duration of a run. */
export const MAX_QUERY_RUN_MS = 5 * 60_000;
/** Default minimum gap between two runs for one user. */
export const DEFAULT_QUERY_GAP_S = 1_800;
