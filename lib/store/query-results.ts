import { createHash } from "node:crypto";
import * as z from "zod";
import { queryResults } from "../contract/resources.ts";
import type { ResultRow } from "../domain/aggregation/aligning.ts";
import { formatFloating } from "../domain/aggregation/floating-time.ts";
import type { Value } from "../domain/aggregation/rows.ts";
import type { FloatingSpan } from "../domain/aggregation/timeframe.ts";
import type { Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${queryResults.keyPrefix}${scope.teamId}#${userId}`;

const values = z.array(z.custom<Value>(() => true));
const item = z.object({ row: z.object({ keys: values, values }) });

/** Identifies the result of a query for a user; `time` is the position of the `date_trunc` in its group keys. */
export interface ResultOf {
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
  async list(scope: TeamScope, { userId, queryId }: ResultOf, span?: FloatingSpan): Promise<ResultRow[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": partition(scope, userId),
        ":from": `${queryId}#${span?.from ?? ""}`,
        ":to": `${queryId}#${span?.to ?? "~"}`,
      },
    };
    return (await Array.fromAsync(this.#table.all(input, item))).map(({ row }) => row);
  }

  setItem(scope: TeamScope, of: ResultOf, row: ResultRow): WriteItem {
    return { Put: { TableName: this.#table.name, Item: { ...this.#key(scope, of, row), row } } };
  }

  removeItem(scope: TeamScope, of: ResultOf, row: ResultRow): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: this.#key(scope, of, row) } };
  }

  /** The digest covers the other group keys, which may be long texts. */
  #key(scope: TeamScope, { userId, queryId, time }: ResultOf, { keys }: ResultRow) {
    const digest = createHash("sha256").update(JSON.stringify(keys)).digest("base64url");
    return { pk: partition(scope, userId), sk: `${queryId}#${formatFloating(Number(keys[time]))}#${digest}` };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
