import type { Item, Key } from "./item.ts";
import { NOT_EXISTS, type Table } from "./table.ts";

/**
 * Writes the next version of an item. @param version version that was read; 0 if there was no item.
 * @throws ConditionFailed if the item has changed.
 */
export function putNextVersion(table: Table, item: Item & Key, version: number): Promise<void> {
  const changed = { ...item, version: version + 1 };
  if (version === 0) return table.put(changed, { ConditionExpression: NOT_EXISTS });
  return table.put(changed, {
    ConditionExpression: "#version = :version",
    ExpressionAttributeNames: { "#version": "version" },
    ExpressionAttributeValues: { ":version": version },
  });
}
