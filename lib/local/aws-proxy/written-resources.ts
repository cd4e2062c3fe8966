import * as z from "zod";
import type { AwsRequest } from "./aws-request.ts";
import { indexPartitionName, indexResourceName, tableWildcard } from "./read-write-tracker.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** Consumed capacity of a write to a table (DynamoDB API reference, ConsumedCapacity). */
export interface ConsumedCapacity {
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
export function listWrittenResources(
  { TableName, Table, GlobalSecondaryIndexes }: ConsumedCapacity,
  request: AwsRequest,
  rest: Readonly<Record<string, unknown>>,
  { tables }: ResourceIndex,
): string[] {
  if (Table === undefined) return [tableWildcard(TableName)];
  const indexes = tables.get(TableName)?.indexes;
  const { data: now } = item.safeParse(itemAfterWrite(request, rest));
  const ofIndexes = Object.keys(GlobalSecondaryIndexes).flatMap((index) => {
    const name = indexResourceName(TableName, index);
    const part = now?.[indexes?.get(index) ?? ""];
    if (now === undefined) return [name];
    if (part === undefined) return [];
    return [typeof part === "string" ? indexPartitionName(name, part) : name];
  });
  return [TableName, ...ofIndexes];
}

/** The item after a write, if the request or the response contains all of it. */
function itemAfterWrite({ operation, body }: AwsRequest, { Attributes }: Readonly<Record<string, unknown>>): unknown {
  if (operation === "PutItem") return body.Item;
  return operation === "UpdateItem" && body.ReturnValues === "ALL_NEW" ? Attributes : undefined;
}
