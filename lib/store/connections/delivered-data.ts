import { deliveredData as entity } from "../../contract/resources.ts";
import { type DeliveredData, deliveredData } from "../../domain/connections/pulls/delivered-data.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Number of items for batches of a user, so that concurrent batches do not contend. */
const SHARDS = 8;

const partition = (scope: TeamScope, userId: string) => `${entity.keyPrefix}${scope.teamId}#${userId}`;

/** Returns the sort key for a batch. Receipt ids end with random hexadecimal digits. */
const position = (provider: string, receiptId: string) =>
  `${provider}#${Number.parseInt(receiptId.slice(-1), 16) % SHARDS}`;

/** Data that providers have sent for users, recorded with the receipt of each batch. */
export class DeliveredDataStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the part that records the batch of a receipt. */
  get(scope: TeamScope, userId: string, provider: string, receiptId: string): Promise<DeliveredData | undefined> {
    return this.#table.get({ pk: partition(scope, userId), sk: position(provider, receiptId) }, deliveredData);
  }

  /** Returns all parts of all providers of a user. */
  list(scope: TeamScope, userId: string): Promise<DeliveredData[]> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    return Array.fromAsync(this.#table.queryAll(input, deliveredData));
  }

  /** Builds the write that replaces the part of a receipt. It fails if the part has changed. */
  replaceItem(scope: TeamScope, userId: string, receiptId: string, after: DeliveredData): WriteItem {
    const before = after.version - 1;
    const condition =
      before === 0
        ? { ConditionExpression: NOT_EXISTS }
        : { ConditionExpression: "version = :before", ExpressionAttributeValues: { ":before": before } };
    const Item = { pk: partition(scope, userId), sk: position(after.provider, receiptId), ...after };
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
