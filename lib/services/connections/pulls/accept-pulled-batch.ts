import type { PulledBatch } from "../../../connectors/connector.ts";
import { grants } from "../../../contract/access.ts";
import { acceptBatch } from "../../../domain/ingest/accept-batch.ts";
import type { DataStage, SampleBatch } from "../../../domain/ingest/batch.ts";
import type { Rejection } from "../../../domain/ingest/rejection.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { queueBatch, queueBatchAccess } from "../../ingest/queue-batch.ts";
import { TeamBudget, type TeamBudgetDependencies, teamBudgetAccess } from "../../usage/team-budget.ts";
import type { PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import { formatFieldCounts } from "./pull-batches.ts";

export type AcceptPulledBatchDependencies = TeamBudgetDependencies & Dependencies<"receipts" | "ingestion" | "batches">;

/** Grants of {@link acceptPulledBatch}. */
export const acceptPulledBatchAccess = grants(queueBatchAccess, teamBudgetAccess);

/** User, origin and stage of pulled data. */
export interface PulledBatchContext {
  readonly user: UserRecord;
  readonly provider: string;
  readonly stage: DataStage;
  /** Whether a push brought the data, or announced it. */
  readonly pushed?: boolean;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly log: Log;
  /** The budget to charge; by default that of the team. */
  readonly budget?: TeamBudget;
  /** Keeps what the connector made of its payloads. */
  readonly keeper?: PayloadKeeper | undefined;
}

/**
 * Queues data from a provider for storage, like an ingested batch. Charges the team's budget even if it is exhausted,
 * since the provider may not deliver the data again. @returns the accepted part of the batch.
 */
export async function acceptPulledBatch(
  deps: AcceptPulledBatchDependencies,
  scope: TeamScope,
  {
    user,
    provider,
    stage,
    pushed,
    receivedAt,
    log,
    budget = new TeamBudget(deps, scope, log),
    keeper,
  }: PulledBatchContext,
  { source_type, device_id = null, app_id = null, resources }: PulledBatch,
): Promise<SampleBatch> {
  // The end of a history pull, not its last batch, marks the history as complete.
  const finality = stage === "historical" ? { is_final: false } : {};
  const raw = { provider, source_type, device_id, app_id, stage, ...finality, resources };
  const checked = acceptBatch(raw, user, receivedAt);
  const accepted = pushed ? { ...checked, batch: { ...checked.batch, pushed } } : checked;
  if (accepted.rejected.length > 0) logRejected(log, provider, accepted.rejected);
  const work = { spend: (units: number) => budget.record(units) };
  keeper?.addMapped(accepted.batch);
  if (accepted.accepted > 0) await queueBatch(deps, scope, user.user_id, accepted, receivedAt, work);
  return accepted.batch;
}

/** Logs rejected records, since pulled data has no receipt that a team reads. */
function logRejected(log: Log, provider: string, rejected: readonly Rejection[]): void {
  for (const [resource, ofIt] of Map.groupBy(rejected, (one) => one.resource))
    log.warn("records of a provider's response were rejected", { provider, resource, parts: formatFieldCounts(ofIt) });
}
