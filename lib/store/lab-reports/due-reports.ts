import * as z from "zod";
import { labReports } from "../../contract/resources.ts";
import type { ReportMessage } from "../../domain/lab-reports/report-job.ts";
import type { Table } from "../table.ts";

/** Number of index partitions for waiting jobs. */
const SHARDS = 4;
/** Maximum jobs of one partition in one sweep. */
const SWEPT_AT_ONCE = 200;

const shard = (number: number) => `${labReports.keyPrefix}due#${number}`;
const waiting = z.object({ team_id: z.string(), id: z.string(), due_at: z.string() });

/** Returns the index partition of a waiting job. */
export const dueShardOf = (id: string): string => shard(id.charCodeAt(id.length - 1) % SHARDS);

/** Returns jobs that should have been parsed by now, and the next due time. @param now ISO 8601, as is the result. */
export async function findDueReports(
  table: Table,
  now: string,
): Promise<{ due: ReportMessage[]; nextDueAt: string | undefined }> {
  const due: ReportMessage[] = [];
  let nextDueAt: string | undefined;
  for (let number = 0; number < SHARDS; number++) {
    const most = due.length + SWEPT_AT_ONCE;
    const input = {
      IndexName: "due",
      KeyConditionExpression: "due_shard = :shard",
      ExpressionAttributeValues: { ":shard": shard(number) },
      Limit: SWEPT_AT_ONCE,
    };
    for await (const { team_id, id, due_at } of table.all(input, waiting)) {
      if (due_at > now || due.length === most) {
        if (nextDueAt === undefined || due_at < nextDueAt) nextDueAt = due_at;
        break;
      }
      due.push({ team_id, job_id: id });
    }
  }
  return { due, nextDueAt };
}
