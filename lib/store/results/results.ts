import * as z from "zod";
import { results } from "../../contract/resources.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { ResultRecord } from "../../domain/results/result-record.ts";
import { compressedJson, compressJson, decompressJson } from "../compressed-json.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

type Owned = Pick<Order, "id" | "user_id">;

const partition = (scope: TeamScope, userId: string) => `${results.keyPrefix}${scope.teamId}#${userId}`;
const resultKey = (scope: TeamScope, { id, user_id }: Owned): Key => ({ pk: partition(scope, user_id), sk: id });

const resultItem = z
  .object({ content: compressedJson })
  .transform(({ content }) => decompressJson(content) as ResultRecord);

/** Results of orders: one item for each order, in the partition of its user. */
export class ResultStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, order: Owned): Promise<ResultRecord | undefined> {
    return this.#table.get(resultKey(scope, order), resultItem);
  }

  /**
   * Builds the write of an order's result, for the transaction that updates the order. The order's condition admits one
   * writer.
   * @throws TooLarge.
   */
  putItem(scope: TeamScope, order: Owned, record: ResultRecord): WriteItem {
    return {
      Put: { TableName: this.#table.name, Item: { ...resultKey(scope, order), content: compressJson(record) } },
    };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
