import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
} from "@aws-sdk/lib-dynamodb";

/** An item as it is stored, and in which table. */
export type StoredItem = readonly [table: string, item: Record<string, unknown>];

/** Reads items by their keys, in no order, asking again for those that DynamoDB has put off. */
export async function* batchGet(
  documents: DynamoDBDocumentClient,
  wanted: NonNullable<BatchGetCommandInput["RequestItems"]>,
): AsyncGenerator<StoredItem> {
  let waiting: BatchGetCommandInput["RequestItems"] = wanted;
  while (waiting && Object.keys(waiting).length > 0) {
    const answer: BatchGetCommandOutput = await documents.send(new BatchGetCommand({ RequestItems: waiting }));
    for (const [table, items] of Object.entries(answer.Responses ?? {})) {
      for (const item of items) yield [table, item];
    }
    waiting = answer.UnprocessedKeys;
  }
}
