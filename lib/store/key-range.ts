import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";

const RANGE = /\bBETWEEN (:\w+) AND (:\w+)/;

/** Whether the range of keys that a query asks for ends before it begins: nothing is in it, and DynamoDB refuses to look. */
export function endsBeforeItBegins(input: Omit<QueryCommandInput, "TableName">): boolean {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {} } = input;
  const [, from = "", to = ""] = RANGE.exec(KeyConditionExpression) ?? [];
  return values[from] > values[to];
}

/** A place to go on from lies outside of what its query asks for, where DynamoDB refuses to look. */
export class StartKeyRefused extends Error {
  override readonly name = "StartKeyRefused";
}

const PREFIX = /\bbegins_with\((\w+), (:\w+)\)/;
const NAMED_RANGE = /\b(\w+) BETWEEN (:\w+) AND (:\w+)/;

/** @throws StartKeyRefused where a query is to go on from a place outside of its range of keys. */
export function requireStartWithin(input: Omit<QueryCommandInput, "TableName">): void {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {}, ExclusiveStartKey: start } = input;
  if (start === undefined) return;
  const [, prefixed = "", prefix = ""] = PREFIX.exec(KeyConditionExpression) ?? [];
  if (prefixed && !String(start[prefixed]).startsWith(String(values[prefix]))) throw new StartKeyRefused();
  const [, ranged = "", from = "", to = ""] = NAMED_RANGE.exec(KeyConditionExpression) ?? [];
  if (ranged && (start[ranged] < values[from] || start[ranged] > values[to])) throw new StartKeyRefused();
}
