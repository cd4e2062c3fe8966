import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { jobItem, jobKey, listedItem, RESULT_PREFIX, type StoredReport } from "./report-keys.ts";

/** Returns the list positions of completed jobs in a user's partition, newest results first. */
export async function findResultPositions(table: Table, pk: string, limit: number, after: string | undefined) {
  const page = await table.query(
    {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :result)",
      ExpressionAttributeValues: { ":pk": pk, ":result": RESULT_PREFIX },
      ScanIndexForward: false,
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: after } }),
    },
    listedItem,
  );
  return { places: page.items.map(({ sk }) => sk), isMore: page.lastKey !== undefined };
}

/** Returns the jobs with these ids, in their order; undefined for a deleted job. */
export async function getReports(
  table: Table,
  scope: TeamScope,
  ids: readonly string[],
): Promise<(StoredReport | undefined)[]> {
  const keys = ids.map((id) => jobKey(scope, id));
  const byId = new Map((await table.getMany(keys, jobItem)).map((one) => [one.job.id, one]));
  return ids.map((id) => byId.get(id));
}
