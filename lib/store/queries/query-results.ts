import { createHash } from "node:crypto";
import * as z from "zod";
import { queryResults } from "../../contract/resources.ts";
import type { ResultRow } from "../../domain/queries/evaluation/align-rows.ts";
import { formatFloating } from "../../domain/queries/floating-time.ts";
import type { CellValue } from "../../domain/queries/rows/rows.ts";
import type { FloatingSpan } from "../../domain/queries/timeframe.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${queryResults.keyPrefix}${scope.teamId}#${userId}`;

const values = z.array(z.custom<CellValue>(() => true));
const item = z.object({ row: z.object({ keys: values, values }) });

/** Identifies the result of a query for a user; `time` is the position of the `date_trunc` in its group keys. */
export interface ResultReference {
  readonly userId: string;
  readonly queryId: string;
  readonly time: number;
}

/** Results of continuous queries: one row for each group, in order of time. */
export class QueryResultStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the rows of a result within a span; all rows without one. */
  async list(scope: TeamScope, { userId, queryId }: ResultReference, span?: FloatingSpan): Promise<ResultRow[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": partition(scope, userId),
        ":from": `${queryId}#${span?.from ?? ""}`,
        ":to": `${queryId}#${span?.to ?? "~"}`,
      },
    };
    return (await Array.fromAsync(this.#table.queryAll(input, item))).map(({ row }) => row);
  }

  putItem(scope: TeamScope, of: ResultReference, row: ResultRow): WriteItem {
    return { Put: { TableName: this.#table.name, Item: { ...this.#key(scope, of, row), row } } };
  }

  deleteItem(scope: TeamScope, of: ResultReference, row: ResultRow): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: this.#key(scope, of, row) } };
  }

  /** The digest covers the other group keys, which may be long texts. */
  #key(scope: TeamScope, { userId, queryId, time }: ResultReference, { keys }: ResultRow) {
    const digest = createHash("sha256").update(JSON.stringify(keys)).digest("base64url");
    return { pk: partition(scope, userId), sk: `${queryId}#${formatFloating(Number(keys[time]))}#${digest}` };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
