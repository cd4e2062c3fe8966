import type { BatchMessage } from "../domain/batch.ts";
import type { ReceiptStore } from "../store/receipts.ts";
import type { TeamScope } from "../store/team-scope.ts";

/**
 * The question whether a batch is the latest of its user that can still arrive, asked at most once: the answer spares a
 * write, so it is only needed where a value came again.
 */
export function isLatestOf(receipts: ReceiptStore, scope: TeamScope, message: BatchMessage): () => Promise<boolean> {
  const { user_id, receipt_id, received_at } = message;
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= receipts
      .isOlderPending(scope, user_id, receipt_id, received_at)
      .then((isOlderPending) => !isOlderPending);
    return answer;
  };
}
