import { getItem, putItem } from "../../contract/access.ts";
import { deliveredData } from "../../contract/resources.ts";
import { addDeliveredBatch } from "../../domain/connections/pulls/delivered-data.ts";
import type { SampleBatch } from "../../domain/ingest/batch.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";

type RecordDeliveredDataDependencies = Dependencies<"deliveredData" | "commit">;

/** Grants of {@link recordDeliveredData}. */
export const recordDeliveredDataAccess = [getItem(deliveredData), putItem(deliveredData)] as const;

/** A stored batch and its receipt. */
interface StoredBatch {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly receiptId: string;
  readonly batch: SampleBatch;
}

/** Maximum attempts against concurrent batches. */
const MAX_ATTEMPTS = 20;

/**
 * Closes a receipt with dependent writes, and records in the same transaction which data its batch delivered.
 * @param items the first item closes the receipt.
 * @throws ConditionFailed for item 0 if the receipt is already closed; without item 0 if concurrent batches won every
 * attempt, so that the queue redelivers the batch.
 */
export async function recordDeliveredData(
  { deliveredData, commit }: RecordDeliveredDataDependencies,
  { scope, userId, receiptId, batch }: StoredBatch,
  items: readonly WriteItem[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await deliveredData.get(scope, userId, batch.provider, receiptId);
    try {
      return await commit([
        ...items,
        deliveredData.replaceItem(scope, userId, receiptId, addDeliveredBatch(before, batch)),
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.items.has(0) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
