import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";

const RANGE = /\bBETWEEN (:\w+) AND (:\w+)/;

/** Whether the range of keys that a query asks for ends before it begins: nothing is in it, and DynamoDB refuses to look. */
export function endsBeforeItBegins(input: Omit<QueryCommandInput, "TableName">): boolean {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {} } = input;
  const [, from = "", to = ""] = RANGE.exec(KeyConditionExpression) ?? [];
  return values[from] > values[to];
}
