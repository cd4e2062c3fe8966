import { batchGetItem, getItem, putItem } from "../../../contract/access.ts";
import { bulkOps, bulkSteps } from "../../../contract/resources.ts";
import { type BulkOp, type BulkOpType, type BulkStep, bulkStepRef } from "../../../domain/connections/bulk-op.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { inParallel } from "../../../runtime/in-parallel.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { waitUntil } from "../wait-until.ts";

export type StartBulkOperationDependencies = Dependencies<"bulkOps" | "bulkSteps" | "bulkWork">;

/** Grants of {@link startBulkOperation} and {@link awaitBulkOutcome}. */
export const startBulkOperationAccess = [
  putItem(bulkOps),
  getItem(bulkOps),
  putItem(bulkSteps),
  batchGetItem(bulkSteps),
] as const;

/** Maximum wait of a caller for the outcome. */
const MAX_WAIT_MS = 20_000;

/** A step that is not yet written. */
export type NewBulkStep = Pick<BulkStep, "user_id" | "sealed" | "due_at">;

/** Creates a bulk operation, then its steps, which the operation counts. */
export async function startBulkOperation(
  { bulkOps, bulkSteps }: Omit<StartBulkOperationDependencies, "bulkWork">,
  scope: TeamScope,
  about: { readonly type: BulkOpType; readonly provider: string },
  newSteps: readonly NewBulkStep[],
): Promise<{ op: BulkOp; steps: BulkStep[] }> {
  const started_at = isoNow();
  const name = `${started_at}#${ports().ids.uuid()}`;
  const counts = { pending: newSteps.length, processed: 0, failed: 0 };
  const op: BulkOp = { op: name, ...about, ...counts, started_at, ended_at: null };
  await bulkOps.create(scope, op);
  const steps = newSteps.map(
    (step): BulkStep => ({ team_id: scope.teamId, op: name, ...about, status: "pending", ...step }),
  );
  await inParallel(steps, (step) => bulkSteps.create(scope, step, started_at));
  return { op, steps };
}

/** Queues steps to run now. */
export const enqueueBulkSteps = (
  { bulkWork }: Pick<StartBulkOperationDependencies, "bulkWork">,
  steps: readonly BulkStep[],
) => bulkWork.sendAll(steps.map((step) => bulkStepRef.parse(step)));

/** Waits for an operation, and groups its users by the status of their steps; undefined on timeout. */
export async function awaitBulkOutcome(
  { bulkOps, bulkSteps }: Omit<StartBulkOperationDependencies, "bulkWork">,
  scope: TeamScope,
  { op }: BulkOp,
  userIds: readonly string[],
): Promise<{ succeeded: string[]; failed: string[] } | undefined> {
  const isDone = await waitUntil(MAX_WAIT_MS, async () => (await bulkOps.get(scope, op))?.pending === 0);
  if (!isDone) return undefined;
  const steps = await bulkSteps.getMany(scope, op, userIds);
  const byUser = new Map(steps.map(({ user_id, status }) => [user_id, status]));
  const succeeded = userIds.filter((userId) => byUser.get(userId) === "success");
  return { succeeded, failed: userIds.filter((userId) => byUser.get(userId) !== "success") };
}
