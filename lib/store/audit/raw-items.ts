import * as z from "zod";
import type { Item, Table } from "../table.ts";

/** Items as they are stored, whatever is in them: a seal is over all of it. */
const rawItem = z.record(z.string(), z.unknown());

/** The items of a partition whose sort keys begin with an instant of a range. @param to not included. */
export function rawItems(table: Table, pk: string, from: string, to: string): AsyncGenerator<Item> {
  const range = { ":pk": pk, ":from": from, ":to": to };
  // Positions go on after their instant, so none of `to` itself is between.
  const input = { KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to", ExpressionAttributeValues: range };
  return table.all(input, rawItem);
}
