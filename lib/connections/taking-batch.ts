import type { PulledBatch } from "../connectors/connector.ts";
import { acceptBatch } from "../domain/acceptance.ts";
import type { SampleBatch, Stage } from "../domain/batch.ts";
import type { Rejection } from "../domain/receipt.ts";
import type { UserRecord } from "../domain/user.ts";
import type { Bucket } from "../runtime/bucket.ts";
import { queueBatch } from "../runtime/ingestion.ts";
import type { Log } from "../runtime/log.ts";
import type { Queue } from "../runtime/queue.ts";
import { TeamBudget, type TeamBudgetUses } from "../runtime/team-budget.ts";
import type { ReceiptStore } from "../store/receipts.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { countsOf } from "./pulled-batches.ts";

export interface TakingUses extends TeamBudgetUses {
  readonly receipts: ReceiptStore;
  readonly ingestion: Queue;
  readonly batches: Bucket;
}

/** User, origin and stage of pulled data. */
export interface Taken {
  readonly user: UserRecord;
  readonly provider: string;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly log: Log;
}

/**
 * Queues data from a provider for storage, like an ingested batch. Charges the team's budget even if it is exhausted,
 * since the provider may not deliver the data again. @returns the accepted part of the batch.
 */
export async function takeBatch(
  uses: TakingUses,
  scope: TeamScope,
  { user, provider, stage, receivedAt, log }: Taken,
  { source_type, device_id, resources }: PulledBatch,
): Promise<SampleBatch> {
  // The end of a history pull, not its last batch, marks the history as complete.
  const finality = stage === "historical" ? { is_final: false } : {};
  const raw = { provider, source_type, device_id: device_id ?? null, stage, ...finality, resources };
  const accepted = acceptBatch(raw, user, receivedAt);
  if (accepted.rejected.length > 0) logRejected(log, provider, accepted.rejected);
  const budget = new TeamBudget(uses, scope, log);
  const work = { spend: (units: number) => budget.note(units) };
  if (accepted.accepted > 0) await queueBatch(uses, scope, user.user_id, accepted, receivedAt, work);
  return accepted.batch;
}

/** Logs rejected records, since pulled data has no receipt that a team reads. */
function logRejected(log: Log, provider: string, rejected: readonly Rejection[]): void {
  for (const [resource, ofIt] of Map.groupBy(rejected, (one) => one.resource))
    log.warn("records of a provider's response were rejected", { provider, resource, parts: countsOf(ofIt) });
}
