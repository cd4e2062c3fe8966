import { findPulledProvider } from "../../../connectors/connectors.ts";
import { getItem, grants, putItem, queryItems, sendMessage } from "../../../contract/access.ts";
import { bulkWork } from "../../../contract/queues.ts";
import { rawPayloads, remaps, users } from "../../../contract/resources.ts";
import { type Remap, toRemapStep } from "../../../domain/connections/raw-payloads/remap.ts";
import { MAX_QUEUE_DELAY_S } from "../../../domain/shared/durations.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { TeamBudget, type TeamBudgetDependencies, teamBudgetAccess } from "../../usage/team-budget.ts";
import { type RemapPullDependencies, remapPull, remapPullAccess } from "./remap-pull.ts";

export type RunRemapStepDependencies = RemapPullDependencies &
  TeamBudgetDependencies &
  Dependencies<"users" | "remaps" | "bulkWork">;

/** Grants of {@link runRemapStep}. */
export const runRemapStepAccess = grants(
  [getItem(users), getItem(remaps), putItem(remaps), queryItems(rawPayloads), sendMessage(bulkWork)],
  teamBudgetAccess,
  remapPullAccess,
);

/** Payloads that one step reads at most, besides the remaining ones of its last pull. */
const PAYLOADS_PER_STEP = 25;

/**
 * Maps the next pulls of a remap again, then sends the next step. A repeated message of an earlier step sends the
 * current one again, which may have been lost.
 */
export async function runRemapStep(
  deps: RunRemapStepDependencies,
  scope: TeamScope,
  { userId, remapId, step, isRedelivered }: { userId: string; remapId: string; step: number; isRedelivered: boolean },
  log: Log,
): Promise<void> {
  const user = await deps.users.get(scope, userId);
  const job = await deps.remaps.get(scope, userId);
  if (!user || job?.id !== remapId || job.status === "done") return;
  if (job.step !== step) return isRedelivered ? deps.bulkWork.send(toRemapStep(job)) : undefined;
  const budget = new TeamBudget(deps, scope, log);
  const spentUntil = await budget.reserveRun();
  if (spentUntil !== undefined) {
    const delayS = Math.ceil((spentUntil - ports().clock.now()) / 1000);
    return deps.bulkWork.send(toRemapStep(job), { delayS: Math.min(delayS, MAX_QUEUE_DELAY_S) });
  }
  const connector = await findPulledProvider(job.provider);
  // A provider whose data is not pulled has no payloads.
  if (!connector) return void (await deps.remaps.advance(scope, job, { ...job, status: "done", updated_at: isoNow() }));
  const { pullIds, last } = await deps.rawPayloads.listPulls(
    scope,
    userId,
    { provider: job.provider, resource: job.resource ?? undefined, fromMs: sinceMs(job) },
    job.after ?? undefined,
    PAYLOADS_PER_STEP,
    ports().clock.now(),
  );
  let next = job;
  for (const pullId of pullIds) next = await remapPull(deps, { scope, user, connector, budget }, next, pullId);
  const isOver = last === undefined;
  const after: Remap = {
    ...next,
    step: job.step + 1,
    after: last ?? next.after,
    status: isOver ? "done" : "running",
    updated_at: isoNow(),
  };
  if ((await deps.remaps.advance(scope, job, after)) && !isOver) await deps.bulkWork.send(toRemapStep(after));
}

const sinceMs = ({ received_since }: Remap) => (received_since === null ? undefined : Date.parse(received_since));
