import * as z from "zod";
import type { Key } from "./item.ts";
import { scanPages } from "./scan-pages.ts";
import type { Table } from "./table.ts";

const keys = z.object({ pk: z.string(), sk: z.string() });

/** Scans the keys of every item of a table. Reads the whole table: for audits and maintenance only. */
export async function* scanKeys(table: Table): AsyncGenerator<Key> {
  for await (const page of scanPages(table, { ProjectionExpression: "pk, sk" })) {
    for (const item of page) yield keys.parse(item);
  }
}
