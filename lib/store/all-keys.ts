import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Item, Key, Table } from "./table.ts";

const keys = z.object({ pk: z.string(), sk: z.string() });

/** The keys of every item of a table: for whoever looks after all of it, since it reads all of it. */
export async function* allKeys(table: Table): AsyncGenerator<Key> {
  let start: Item | undefined;
  do {
    const answer = await table.documents.send(
      new ScanCommand({ TableName: table.name, ProjectionExpression: "pk, sk", ExclusiveStartKey: start }),
    );
    for (const item of answer.Items ?? []) yield keys.parse(item);
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}
