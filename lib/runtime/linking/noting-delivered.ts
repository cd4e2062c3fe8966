import type { SampleBatch } from "../../domain/batch.ts";
import { withBatch } from "../../domain/linking/delivered-data.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { DeliveredDataStore } from "../../store/linking/delivered-data.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";

interface NotingUses {
  readonly deliveredData: DeliveredDataStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** A batch that is stored, and the receipt that it has. */
interface StoredBatch {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly receiptId: string;
  readonly batch: SampleBatch;
}

/** How often a note is written anew that meets those of other batches. */
const ATTEMPTS = 20;

/**
 * Closes a receipt, with whatever else depends on that, and notes in the same write what its batch has brought.
 * @param items the first of them closes the receipt.
 * @throws ConditionFailed where that was done before, and, without the first among its items, where others were always
 * faster: the batch then comes again.
 */
export async function noteDelivered(
  { deliveredData, commit }: NotingUses,
  { scope, userId, receiptId, batch }: StoredBatch,
  items: readonly WriteItem[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await deliveredData.get(scope, userId, batch.provider, receiptId);
    try {
      return await commit([...items, deliveredData.replaceItem(scope, userId, receiptId, withBatch(before, batch))]);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.items.has(0) || attempt === ATTEMPTS) throw error;
    }
  }
}
