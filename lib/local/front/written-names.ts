import * as z from "zod";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { allOf, indexName, partOf } from "./changes.ts";

/** What DynamoDB says of the capacity that a write to a table took. */
export interface WrittenTable {
  readonly TableName: string;
  readonly Table?: unknown;
  readonly GlobalSecondaryIndexes: Readonly<Record<string, unknown>>;
}

const item = z.record(z.string(), z.union([z.object({ S: z.string() }).transform(({ S }) => S), z.unknown()]));

/**
 * What a write wrote, as `Changes` names it: the table and those of its indexes that took capacity, all of it where that
 * was not told apart. Of an index it is the part to which the item belongs now, where that is known: an item that leaves
 * another part gives nobody something to do there.
 * @param rest the answer, apart from what it says of capacity.
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

/** The item that a write left behind, if the request or its answer has all of it. */
function itemAfter({ operation, body }: AwsRequest, { Attributes }: Readonly<Record<string, unknown>>): unknown {
  if (operation === "PutItem") return body.Item;
  return operation === "UpdateItem" && body.ReturnValues === "ALL_NEW" ? Attributes : undefined;
}
