import * as z from "zod";
import { Table } from "../../../lib/store/table.ts";
import type { TestDynamodb } from "../../support/dynamodb.ts";

/** The sort keys of all items of a partition, in order. */
export function storedKeys({ documents }: TestDynamodb, table: string, pk: string): Promise<string[]> {
  const query = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
  const item = z.object({ sk: z.string() }).transform(({ sk }) => sk);
  return Array.fromAsync(new Table(documents, table).queryAll(query, item));
}
