import type { BatchMessage } from "../../domain/ingest/batch.ts";
import type { ReceiptStore } from "../../store/ingest/receipts.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/**
 * Returns a check whether no older batch of the user can still arrive. The check reads at most once, and only if
 * called: its result saves a write where a value is unchanged.
 */
export function createLatestBatchCheck(
  receipts: ReceiptStore,
  scope: TeamScope,
  message: BatchMessage,
): () => Promise<boolean> {
  const { user_id, receipt_id, received_at } = message;
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= receipts
      .hasOlderPending(scope, user_id, receipt_id, received_at)
      .then((isOlderPending) => !isOlderPending);
    return answer;
  };
}
