import * as z from "zod";
import type { Item } from "../item.ts";
import type { Table } from "../table.ts";

/** Schema of stored items with all attributes: a seal covers all of them. */
const rawItem = z.record(z.string(), z.unknown());

/** Yields the items of a partition whose sort keys start with an instant of a range. @param to exclusive. */
export function queryRawItems(table: Table, pk: string, from: string, to: string): AsyncGenerator<Item> {
  const range = { ":pk": pk, ":from": from, ":to": to };
  // Positions continue after their instant, so BETWEEN excludes those of `to`.
  const input = { KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to", ExpressionAttributeValues: range };
  return table.queryAll(input, rawItem);
}
