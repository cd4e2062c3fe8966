import { labReports } from "../../contract/resources.ts";
import { MAX_CONCURRENT_RUNS_PER_TEAM } from "../../domain/lab-reports/report-job.ts";
import { isConditionMet, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
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
export async function acquireReader(
  table: Table,
  scope: TeamScope,
  holder: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<ReaderSlot | undefined> {
  for (let place = 0; place < MAX_CONCURRENT_RUNS_PER_TEAM; place++) {
    const isAcquired = await isConditionMet(
      table.update(slotKey(scope, place), {
        UpdateExpression: "SET holder = :holder, lease_until = :until",
        ConditionExpression: "attribute_not_exists(lease_until) OR lease_until <= :now",
        ExpressionAttributeValues: { ":holder": holder, ":until": untilMs, ":now": nowMs },
      }),
    );
    if (isAcquired) return { place, holder };
  }
  return undefined;
}

/** Releases a reader, unless another run holds it by now. */
export async function releaseReader(table: Table, scope: TeamScope, { place, holder }: ReaderSlot): Promise<void> {
  const isOwn = { ConditionExpression: "holder = :holder", ExpressionAttributeValues: { ":holder": holder } };
  await unlessConditionFailed(table.delete(slotKey(scope, place), isOwn));
}
