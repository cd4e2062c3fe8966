import { labReports } from "../../contract/resources.ts";
import { MOST_TEAM_READERS } from "../../domain/lab-reports/report-job.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** One of the readers that a team may keep busy, and the run that has it: any text that no other run has. */
export interface ReaderSlot {
  readonly place: number;
  readonly holder: string;
}

/** In the partition that the erasure of the team deletes. */
const slotKey = ({ teamId }: TeamScope, place: number): Key => ({
  pk: `${labReports.keyPrefix}${teamId}`,
  sk: `reader#${place}`,
});

/**
 * Takes one of the team's readers until the lease is over, so that one team never has all of them.
 * @returns undefined when all are taken.
 */
export async function takeReader(
  table: Table,
  scope: TeamScope,
  holder: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<ReaderSlot | undefined> {
  for (let place = 0; place < MOST_TEAM_READERS; place++) {
    const isTaken = await change(table, slotKey(scope, place), {
      UpdateExpression: "SET holder = :holder, lease_until = :until",
      ConditionExpression: "attribute_not_exists(lease_until) OR lease_until <= :now",
      ExpressionAttributeValues: { ":holder": holder, ":until": untilMs, ":now": nowMs },
    });
    if (isTaken) return { place, holder };
  }
  return undefined;
}

/** Gives a reader back, unless another run has it by now. */
export async function freeReader(table: Table, scope: TeamScope, { place, holder }: ReaderSlot): Promise<void> {
  const isOwn = { ConditionExpression: "holder = :holder", ExpressionAttributeValues: { ":holder": holder } };
  await table.remove(slotKey(scope, place), isOwn).catch(unlessRefused);
}

/** @returns whether the condition held. */
const change = (table: Table, key: Key, to: Parameters<Table["update"]>[1]): Promise<boolean> =>
  table.update(key, to).then(() => true, unlessRefused);

function unlessRefused(error: unknown): false {
  if (error instanceof ConditionFailed) return false;
  throw error;
}
