import { ScanCommand, type ScanCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Item } from "./item.ts";
import type { Table } from "./table.ts";

/** Yields all items of a table page by page. Reads the whole table: for audits, maintenance and restores only. */
export async function* scanPages(
  { documents, name }: Table,
  input: Pick<ScanCommandInput, "ProjectionExpression" | "ConsistentRead"> = {},
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const answer = await documents.send(new ScanCommand({ TableName: name, ...input, ExclusiveStartKey: start }));
    yield answer.Items ?? [];
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}
