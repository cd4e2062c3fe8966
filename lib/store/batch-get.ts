import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
} from "@aws-sdk/lib-dynamodb";
import type { Item, Key } from "./item.ts";

/** Maximum keys of one BatchGetItem. */
const READS_PER_REQUEST = 100;

/**
 * Reads items of one table by their keys, strongly consistent and in no order. Requests keys again that DynamoDB left
 * unprocessed. A request never names two tables: how IAM checks the keys of several tables against
 * `dynamodb:LeadingKeys` is not documented.
 */
export async function* batchGet(
  documents: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key[],
): AsyncGenerator<Item> {
  for (let first = 0; first < keys.length; first += READS_PER_REQUEST) {
    const Keys = keys.slice(first, first + READS_PER_REQUEST).map(({ pk, sk }) => ({ pk, sk }));
    let waiting: BatchGetCommandInput["RequestItems"] = { [table]: { Keys, ConsistentRead: true } };
    while (waiting && Object.keys(waiting).length > 0) {
      const answer: BatchGetCommandOutput = await documents.send(new BatchGetCommand({ RequestItems: waiting }));
      yield* answer.Responses?.[table] ?? [];
      waiting = answer.UnprocessedKeys;
    }
  }
}
