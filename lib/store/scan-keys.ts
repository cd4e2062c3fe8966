import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Item, Key } from "./item.ts";
import type { Table } from "./table.ts";

const keys = z.object({ pk: z.string(), sk: z.string() });

/** Scans the keys of every item of a table. Reads the whole table: for audits and maintenance only. */
export async function* scanKeys(table: Table): AsyncGenerator<Key> {
  let start: Item | undefined;
  do {
    const answer = await table.documents.send(
      new ScanCommand({ TableName: table.name, ProjectionExpression: "pk, sk", ExclusiveStartKey: start }),
    );
    for (const item of answer.Items ?? []) yield keys.parse(item);
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}
