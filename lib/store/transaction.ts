import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { ConditionFailed, toPlainItem } from "./condition-failed.ts";

/** One write of a transaction: a store builds it and {@link commit} runs it. */
export type WriteItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Attempts of a transaction that conflicts with another one on the same item. */
const CONFLICT_ATTEMPTS = 8;

/**
 * Runs one transaction: it writes all items or none.
 * @param random number in [0, 1) for the pause after a conflict, so that conflicting writers do not meet again.
 * @throws ConditionFailed with the stored items if a condition fails.
 */
export async function commit(
  documents: DynamoDBDocumentClient,
  items: readonly WriteItem[],
  random: () => number = () => 0.5,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...items] }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.flatMap((reason, index) =>
        reason.Code === "ConditionalCheckFailed" ? [[index, toPlainItem(reason.Item)] as const] : [],
      );
      if (failed.length > 0) throw new ConditionFailed(new Map(failed), { cause: error });
      if (attempt === CONFLICT_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + random())));
    }
  }
}
