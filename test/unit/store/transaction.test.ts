import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, type TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test, vi } from "vitest";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { commit } from "../../../lib/store/transaction.ts";

const item = { Put: { TableName: "t", Item: { pk: "p", sk: "s" } } };
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "cancelled",
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** A client whose first responses are these errors. */
function clientWith(...errors: Error[]) {
  const sent: TransactWriteCommand[] = [];
  const documents = DynamoDBDocumentClient.prototype;
  vi.spyOn(documents, "send").mockImplementation(async (command) => {
    const error = errors[sent.push(command as TransactWriteCommand) - 1];
    if (error) throw error;
  });
  return { documents, sent };
}

test("a conflicting transaction is retried after a random pause", async () => {
  const { documents, sent } = clientWith(cancelled("TransactionConflict"), cancelled("TransactionConflict", "None"));
  const random = vi.fn(() => 0);
  await commit(documents, [item], random);
  expect([sent.length, random.mock.calls.length]).toEqual([3, 2]);
});

test("an unmet condition fails a transaction at once, with the positions of all unmet conditions", async () => {
  const reasons = ["None", "ConditionalCheckFailed", "TransactionConflict", "ConditionalCheckFailed"];
  const { documents, sent } = clientWith(cancelled(...reasons));
  const error = await commit(documents, [item]).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConditionFailed);
  expect([...error.items.keys()]).toEqual([1, 3]);
  expect(sent).toHaveLength(1);
});
