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

/** What data is of: whose, from where, and whether it is new or history. */
export interface Taken {
  readonly user: UserRecord;
  readonly provider: string;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly log: Log;
}

/**
 * Puts what a provider gave on its way to the store, as if it had been sent. The team's budget pays for it, spent or not:
 * it may not be had a second time. @returns what of it is taken.
 */
export async function takeBatch(
  uses: TakingUses,
  scope: TeamScope,
  { user, provider, stage, receivedAt, log }: Taken,
  { source_type, device_id, resources }: PulledBatch,
): Promise<SampleBatch> {
  // Of a history it is not the last batch that tells that all is there, but the pull.
  const finality = stage === "historical" ? { is_final: false } : {};
  const raw = { provider, source_type, device_id: device_id ?? null, stage, ...finality, resources };
  const accepted = acceptBatch(raw, user, receivedAt);
  if (accepted.rejected.length > 0) logRejected(log, provider, accepted.rejected);
  const budget = new TeamBudget(uses, scope, log);
  const work = { spend: (units: number) => budget.note(units) };
  if (accepted.accepted > 0) await queueBatch(uses, scope, user.user_id, accepted, receivedAt, work);
  return accepted.batch;
}

/** Names what of a provider's data was not taken, as its receipt does where there is one. */
function logRejected(log: Log, provider: string, rejected: readonly Rejection[]): void {
  for (const [resource, ofIt] of Map.groupBy(rejected, (one) => one.resource))
    log.warn("parts of what a provider told were not taken", { provider, resource, parts: countsOf(ofIt) });
}
