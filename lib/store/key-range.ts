import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";

const RANGE = /\bBETWEEN (:\w+) AND (:\w+)/;

/** Whether a query's key range is empty because it ends before it starts. DynamoDB rejects such a query. */
export function isEmptyRange(input: Omit<QueryCommandInput, "TableName">): boolean {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {} } = input;
  const [, from = "", to = ""] = RANGE.exec(KeyConditionExpression) ?? [];
  return values[from] > values[to];
}

/** A start key is outside the key range of its query. DynamoDB rejects such a query. */
export class InvalidStartKey extends Error {
  override readonly name = "StartKeyRefused";
}

const PREFIX = /\bbegins_with\((\w+), (:\w+)\)/;
const NAMED_RANGE = /\b(\w+) BETWEEN (:\w+) AND (:\w+)/;

/** @throws StartKeyRefused if the start key is outside the key range of the query. */
export function assertStartKeyInRange(input: Omit<QueryCommandInput, "TableName">): void {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {}, ExclusiveStartKey: start } = input;
  if (start === undefined) return;
  const [, prefixed = "", prefix = ""] = PREFIX.exec(KeyConditionExpression) ?? [];
  if (prefixed && !String(start[prefixed]).startsWith(String(values[prefix]))) throw new InvalidStartKey();
  const [, ranged = "", from = "", to = ""] = NAMED_RANGE.exec(KeyConditionExpression) ?? [];
  if (ranged && (start[ranged] < values[from] || start[ranged] > values[to])) throw new InvalidStartKey();
}
