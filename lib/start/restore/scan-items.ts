import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Item, Key } from "../../store/item.ts";
import type { Table } from "../../store/table.ts";

/** Yields the items of a table page by page, so that no table is in memory. */
export async function* scanPages(table: Table): AsyncGenerator<(Item & Key)[]> {
  let start: Item | undefined;
  do {
    const answer = await table.documents.send(
      new ScanCommand({ TableName: table.name, ExclusiveStartKey: start, ConsistentRead: true }),
    );
    yield (answer.Items ?? []) as (Item & Key)[];
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}

/** Whether a table has no item. */
export async function isEmptyTable({ documents, name }: Table): Promise<boolean> {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: name, Limit: 1, ConsistentRead: true }));
  return Items.length === 0;
}
