import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Item, Key } from "../../store/item.ts";
import { scanPages } from "../../store/scan-pages.ts";
import type { Table } from "../../store/table.ts";

/** Yields the items of a table page by page, so that no table is in memory. */
export const scanItems = (table: Table): AsyncGenerator<(Item & Key)[]> =>
  scanPages(table, { ConsistentRead: true }) as AsyncGenerator<(Item & Key)[]>;

/** Whether a table has no item. */
export async function isEmptyTable({ documents, name }: Table): Promise<boolean> {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: name, Limit: 1, ConsistentRead: true }));
  return Items.length === 0;
}
