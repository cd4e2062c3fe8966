import { labReports } from "../../contract/resources.ts";
import { MOST_TEAM_READERS } from "../../domain/lab-reports/report-job.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** A reader slot of a team and the run that holds it: any text that identifies the run. */
export interface ReaderSlot {
  readonly place: number;
  readonly holder: string;
}

/** The slots are in the partition that the erasure of the team deletes. */
const slotKey = ({ teamId }: TeamScope, place: number): Key => ({
  pk: `${labReports.keyPrefix}${teamId}`,
  sk: `reader#${place}`,
});

/**
 * Acquires one of the team's readers until the lease ends, so that no team occupies all readers.
 * @returns undefined if all are taken.
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

/** Releases a reader, unless another run holds it by now. */
export async function freeReader(table: Table, scope: TeamScope, { place, holder }: ReaderSlot): Promise<void> {
  const isOwn = { ConditionExpression: "holder = :holder", ExpressionAttributeValues: { ":holder": holder } };
  await table.remove(slotKey(scope, place), isOwn).catch(unlessRefused);
}

/** Updates an item. @returns whether the condition held. */
const change = (table: Table, key: Key, to: Parameters<Table["update"]>[1]): Promise<boolean> =>
  table.update(key, to).then(() => true, unlessRefused);

function unlessRefused(error: unknown): false {
  if (error instanceof ConditionFailed) return false;
  throw error;
}
