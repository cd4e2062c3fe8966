import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { ConditionFailed, plain } from "./condition-failed.ts";

/** One element of a transaction, made by a store and run by {@link commit}. */
export type WriteItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** How often a transaction that met another one on the same item is tried. */
const CONFLICT_ATTEMPTS = 8;

/**
 * Runs one transaction: all items are written, or none.
 * @param chance a number in [0, 1) for each pause after a conflict, so that those who met do not meet again.
 * @throws ConditionFailed when a condition does not hold, with what was stored instead.
 */
export async function commit(
  documents: DynamoDBDocumentClient,
  items: readonly WriteItem[],
  chance: () => number = () => 0.5,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...items] }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.flatMap((reason, index) =>
        reason.Code === "ConditionalCheckFailed" ? [[index, plain(reason.Item)] as const] : [],
      );
      if (failed.length > 0) throw new ConditionFailed(new Map(failed), { cause: error });
      if (attempt === CONFLICT_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 5 * (0.5 + chance())));
    }
  }
}
