import { deliveredData as entity } from "../../contract/resources.ts";
import { type DeliveredData, deliveredData } from "../../domain/linking/delivered-data.ts";
import { isNew, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Batches of a user that are stored at the same time are noted in one of so many items each. */
const SHARDS = 8;

const partition = (scope: TeamScope, userId: string) => `${entity.keyPrefix}${scope.teamId}#${userId}`;

/** Where a batch is noted; receipts end in random hexadecimal digits. */
const position = (provider: string, receiptId: string) =>
  `${provider}#${Number.parseInt(receiptId.slice(-1), 16) % SHARDS}`;

/** What providers have sent of users, noted with the receipt of each batch. */
export class DeliveredDataStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The part in which the batch of a receipt is noted. */
  get(scope: TeamScope, userId: string, provider: string, receiptId: string): Promise<DeliveredData | undefined> {
    return this.#table.get({ pk: partition(scope, userId), sk: position(provider, receiptId) }, deliveredData);
  }

  /** All parts of all providers of a user. */
  list(scope: TeamScope, userId: string): Promise<DeliveredData[]> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    return Array.fromAsync(this.#table.all(input, deliveredData));
  }

  /** Replaces what was read for a receipt, if it still is so. */
  replaceItem(scope: TeamScope, userId: string, receiptId: string, after: DeliveredData): WriteItem {
    const before = after.version - 1;
    const condition =
      before === 0
        ? { ConditionExpression: isNew }
        : { ConditionExpression: "version = :before", ExpressionAttributeValues: { ":before": before } };
    const Item = { pk: partition(scope, userId), sk: position(after.provider, receiptId), ...after };
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
