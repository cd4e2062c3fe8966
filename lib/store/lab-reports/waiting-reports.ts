import type * as z from "zod";
import { reportJob } from "../../domain/lab-reports/report-job.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { jobKey } from "./report-keys.ts";

/** What the index holds of a job. */
const listedJob = reportJob.pick({ id: true, user_id: true, created_at: true });
export type ListedJob = z.output<typeof listedJob>;

const WAITING = "pending_review";

/**
 * Returns jobs of a team that wait for a review, in no particular order. The index may lag behind a change of a job.
 * @param after id of the job at which the previous page ended.
 */
export async function findWaitingReports(
  table: Table,
  scope: TeamScope,
  after: string | undefined,
  limit: number,
): Promise<{ readonly jobs: readonly ListedJob[]; readonly last: string | undefined }> {
  const of = { team_id: scope.teamId, status: WAITING };
  const { items, lastKey } = await table.query(
    {
      IndexName: "reports_by_status",
      KeyConditionExpression: "team_id = :team AND #status = :waiting",
      ExpressionAttributeNames: { "#status": "status" },
      ExpressionAttributeValues: { ":team": of.team_id, ":waiting": of.status },
      ...(after === undefined ? {} : { ExclusiveStartKey: { ...jobKey(scope, after), ...of } }),
      Limit: limit,
    },
    listedJob,
  );
  return { jobs: items, last: lastKey && items.at(-1)?.id };
}
