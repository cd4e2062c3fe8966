import * as z from "zod";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { allOf, indexName, partOf } from "./changes.ts";

/** Consumed capacity of a write to a table (DynamoDB API reference, ConsumedCapacity). */
export interface WrittenTable {
  readonly TableName: string;
  readonly Table?: unknown;
  readonly GlobalSecondaryIndexes: Readonly<Record<string, unknown>>;
}

const item = z.record(z.string(), z.union([z.object({ S: z.string() }).transform(({ S }) => S), z.unknown()]));

/**
 * Names what a write has changed, in the terms of {@link Changes}: the table and the indexes that consumed capacity, or
 * the whole table when the capacity is not split. Of an index only the new partition of the item counts, if it is
 * known: an item that leaves a partition creates nothing to process there.
 * @param rest the response without the consumed capacity.
 */
export function writtenNames(
  { TableName, Table, GlobalSecondaryIndexes }: WrittenTable,
  request: AwsRequest,
  rest: Readonly<Record<string, unknown>>,
  { tables }: Catalogue,
): string[] {
  if (Table === undefined) return [allOf(TableName)];
  const indexes = tables.get(TableName)?.indexes;
  const { data: now } = item.safeParse(itemAfter(request, rest));
  const ofIndexes = Object.keys(GlobalSecondaryIndexes).flatMap((index) => {
    const name = indexName(TableName, index);
    const part = now?.[indexes?.get(index) ?? ""];
    if (now === undefined) return [name];
    if (part === undefined) return [];
    return [typeof part === "string" ? partOf(name, part) : name];
  });
  return [TableName, ...ofIndexes];
}

/** The item after a write, if the request or the response contains all of it. */
function itemAfter({ operation, body }: AwsRequest, { Attributes }: Readonly<Record<string, unknown>>): unknown {
  if (operation === "PutItem") return body.Item;
  return operation === "UpdateItem" && body.ReturnValues === "ALL_NEW" ? Attributes : undefined;
}
