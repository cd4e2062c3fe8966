import * as z from "zod";
import type { WireQueryTask } from "../../../domain/queries/continuous/query-task.ts";
import type { PageCursor } from "../../../runtime/http/page-cursor.ts";
import { positionText } from "../../../store/cursor.ts";
import type { QueryTaskStore } from "../../../store/queries/query-tasks.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

/** Reads a page of the runs of a query for a user, scheduled run first. @throws ValidationFailed for a foreign cursor. */
export async function readTaskPage(
  queryTasks: QueryTaskStore,
  scope: TeamScope,
  { userId, queryId }: { readonly userId: string; readonly queryId: string },
  { next_cursor, limit }: { readonly next_cursor?: string | undefined; readonly limit: number },
  pages: PageCursor,
): Promise<{ data: WireQueryTask[]; next_cursor: string | null }> {
  const before = pages.read(next_cursor, z.tuple([positionText]))?.[0];
  const { items, lastKey } = await queryTasks.listRuns(scope, userId, queryId, before, limit);
  const last = items.at(-1);
  const task = before ? undefined : await queryTasks.get({ team_id: scope.teamId, user_id: userId, query_id: queryId });
  const { scheduled_at } = task?.changed_days ? task : {};
  const planned = { query_id: queryId, user_id: userId, started_at: null, ended_at: null, error_details: null };
  const next: WireQueryTask[] = scheduled_at ? [{ ...planned, status: "scheduled", scheduled_at }] : [];
  return {
    data: [...next, ...items.map(({ run }) => run)],
    next_cursor: lastKey && last ? pages.write([last.sk]) : null,
  };
}
