import { retryConditionFailed } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";
import { countKey, JOB_PREFIX, jobIdOf, jobItem, jobKey, listedItem, userReportsPartition } from "./report-keys.ts";

/** Builds the update that adds to the number of a team's jobs. */
export function countUpdate(table: Table, scope: TeamScope, count: number) {
  const Update = {
    TableName: table.name,
    Key: countKey(scope),
    UpdateExpression: "ADD taken :count",
    ExpressionAttributeValues: { ":count": count } as Record<string, number>,
  };
  return { Update };
}

/** Deletes the jobs of a user. The list of jobs goes last, so an interrupted erasure still finds the rest. */
export async function eraseReports(table: Table, scope: TeamScope, userId: string): Promise<number> {
  const pk = userReportsPartition(scope, userId);
  const input = {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :job)",
    ExpressionAttributeValues: { ":pk": pk, ":job": JOB_PREFIX },
  };
  for await (const { sk } of table.queryAll(input, listedItem)) await erase(table, scope, jobIdOf(sk));
  return table.deletePartition(pk);
}

/** Deletes a job and subtracts it from the number of the team's jobs. */
function erase(table: Table, scope: TeamScope, id: string): Promise<void> {
  return retryConditionFailed(async () => {
    const found = await table.get(jobKey(scope, id), jobItem);
    if (!found) return;
    const { is_counted } = found.job;
    const same = {
      ConditionExpression: "is_counted = :counted",
      ExpressionAttributeValues: { ":counted": is_counted },
    };
    const gone: WriteItem = { Delete: { TableName: table.name, Key: jobKey(scope, id), ...same } };
    await commit(table.documents, [gone, ...(is_counted ? [countUpdate(table, scope, -1)] : [])]);
  });
}
