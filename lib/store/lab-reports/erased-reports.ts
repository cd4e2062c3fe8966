import { ConditionFailed } from "../condition-failed.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";
import { countKey, idOf, JOB, jobItem, jobKey, listed, listOf } from "./report-keys.ts";

/** Builds the update that adds to the number of a team's jobs. */
export function addCount(table: Table, scope: TeamScope, count: number) {
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
  const pk = listOf(scope, userId);
  const input = {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :job)",
    ExpressionAttributeValues: { ":pk": pk, ":job": JOB },
  };
  for await (const { sk } of table.all(input, listed)) await erase(table, scope, idOf(sk));
  return table.erasePartition(pk);
}

/** Deletes a job and subtracts it from the number of the team's jobs. */
async function erase(table: Table, scope: TeamScope, id: string): Promise<void> {
  for (;;) {
    const found = await table.get(jobKey(scope, id), jobItem);
    if (!found) return;
    const { is_counted } = found.job;
    const same = {
      ConditionExpression: "is_counted = :counted",
      ExpressionAttributeValues: { ":counted": is_counted },
    };
    const gone: WriteItem = { Delete: { TableName: table.name, Key: jobKey(scope, id), ...same } };
    try {
      await commit(table.documents, [gone, ...(is_counted ? [addCount(table, scope, -1)] : [])]);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
