import { type BulkOp, type BulkStep, type BulkType, bulkStepName } from "../domain/linking/bulk-op.ts";
import { waitUntil } from "../runtime/linking/waiting.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import { inParallel } from "../runtime/storing.ts";
import type { BulkOpStore } from "../store/linking/bulk-ops.ts";
import type { BulkStepStore } from "../store/linking/bulk-steps.ts";
import type { TeamScope } from "../store/team-scope.ts";

export interface BulkUses {
  readonly bulkOps: BulkOpStore;
  readonly bulkSteps: BulkStepStore;
  readonly bulkWork: Queue;
}

/** Maximum wait of a caller for the outcome. */
const WAIT_MS = 20_000;

/** A step that is not yet written. */
export type NewStep = Pick<BulkStep, "user_id" | "sealed" | "due_at">;

/** Creates a bulk operation, then its steps, which the operation counts. */
export async function beginWork(
  { bulkOps, bulkSteps }: Omit<BulkUses, "bulkWork">,
  scope: TeamScope,
  about: { readonly type: BulkType; readonly provider: string },
  newSteps: readonly NewStep[],
): Promise<{ op: BulkOp; steps: BulkStep[] }> {
  const started_at = isoNow();
  const name = `${started_at}#${ports().ids.uuid()}`;
  const counts = { pending: newSteps.length, processed: 0, failed: 0 };
  const op: BulkOp = { op: name, ...about, ...counts, started_at, ended_at: null };
  await bulkOps.begin(scope, op);
  const steps = newSteps.map(
    (step): BulkStep => ({ team_id: scope.teamId, op: name, ...about, status: "pending", ...step }),
  );
  await inParallel(steps, (step) => bulkSteps.begin(scope, step, started_at));
  return { op, steps };
}

/** Queues steps to run now. */
export const sendSteps = ({ bulkWork }: Pick<BulkUses, "bulkWork">, steps: readonly BulkStep[]) =>
  bulkWork.sendAll(steps.map((step) => bulkStepName.parse(step)));

/** Waits for an operation, and groups its users by the status of their steps; undefined on timeout. */
export async function outcomeOf(
  { bulkOps, bulkSteps }: Omit<BulkUses, "bulkWork">,
  scope: TeamScope,
  { op }: BulkOp,
  userIds: readonly string[],
): Promise<{ succeeded: string[]; failed: string[] } | undefined> {
  const isDone = await waitUntil(WAIT_MS, async () => (await bulkOps.get(scope, op))?.pending === 0);
  if (!isDone) return undefined;
  const steps = await bulkSteps.ofUsers(scope, op, userIds);
  const byUser = new Map(steps.map(({ user_id, status }) => [user_id, status]));
  const succeeded = userIds.filter((userId) => byUser.get(userId) === "success");
  return { succeeded, failed: userIds.filter((userId) => byUser.get(userId) !== "success") };
}
