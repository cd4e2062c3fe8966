import { deliveredData as entity } from "../../contract/resources.ts";
import {
  type DeliveredBatch,
  type DeliveredData,
  deliveredData,
} from "../../domain/connections/pulls/delivered-data.ts";
import { retryConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { deliveredUpdate } from "./delivered-update.ts";

/** Batches that an item names. Beyond that it forgets the oldest. A batch is repeated while few others are stored. */
const MAX_NAMED_BATCHES = 24;
const KEPT_BATCHES = 8;
/** Attempts of one addition. Each bound of a resource can make at most one of them fail. */
const MAX_ATTEMPTS = 20;

const partition = (scope: TeamScope, userId: string) => `${entity.keyPrefix}${scope.teamId}#${userId}`;
/** Versions that added batches in transactions used the sort keys `<provider>#0` to `<provider>#7`. */
const itemKey = (scope: TeamScope, userId: string, provider: string): Key => ({
  pk: partition(scope, userId),
  sk: `${provider}#all`,
});

/** Data that providers have sent for users. */
export class DeliveredDataStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the statistics of all providers of a user, those of one provider possibly in several parts. */
  list(scope: TeamScope, userId: string): Promise<DeliveredData[]> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    return Array.fromAsync(this.#table.queryAll(input, deliveredData));
  }

  /** Returns the statistics of one provider of a user. */
  get(scope: TeamScope, userId: string, provider: string): Promise<DeliveredData | undefined> {
    return this.#table.get(itemKey(scope, userId, provider), deliveredData);
  }

  /** Makes a transaction depend on no batch having been added since the statistics were read. */
  requireUnchangedItem(scope: TeamScope, userId: string, provider: string, read: DeliveredData | undefined): WriteItem {
    const isNew = read === undefined;
    return {
      ConditionCheck: {
        TableName: this.#table.name,
        Key: itemKey(scope, userId, provider),
        ConditionExpression: isNew ? NOT_EXISTS : "version = :version",
        ...(isNew ? {} : { ExpressionAttributeValues: { ":version": read.version } }),
      },
    };
  }

  /** Makes a transaction depend on no push having moved these resources since the statistics were read. */
  requireUnpushedItem(
    scope: TeamScope,
    userId: string,
    { provider, resources }: DeliveredData,
    names: readonly string[],
  ): WriteItem {
    const places = names.map((name, place) => ({ name, place, newest: resources[name]?.pushed_newest }));
    return {
      ConditionCheck: {
        TableName: this.#table.name,
        Key: itemKey(scope, userId, provider),
        ConditionExpression: places.map(({ place }) => `resources.#r${place}.pushed_newest = :p${place}`).join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(places.map(({ name, place }) => [`#r${place}`, name])),
        ExpressionAttributeValues: Object.fromEntries(places.map(({ newest, place }) => [`:p${place}`, newest])),
      },
    };
  }

  /** Adds a batch, once. Usually one write without a read: a batch mostly continues the data before it. */
  async addBatch(scope: TeamScope, userId: string, batch: DeliveredBatch): Promise<void> {
    const key = itemKey(scope, userId, batch.provider);
    const after = await retryConditionFailed(async (attempt) => {
      const known = attempt === 1 ? "continued" : await this.#table.get(key, deliveredData);
      if (known === undefined) return this.#create(key, batch);
      if (known !== "continued" && known.batches.has(batch.batchId)) return known;
      return deliveredData.parse(await this.#table.update(key, deliveredUpdate(known, batch)));
    }, MAX_ATTEMPTS);
    if (after.batches.size <= MAX_NAMED_BATCHES) return;
    const oldest = new Set([...after.batches].sort().slice(0, -KEPT_BATCHES));
    await this.#table.update(key, {
      UpdateExpression: "DELETE batches :oldest",
      ExpressionAttributeValues: { ":oldest": oldest },
    });
  }

  async #create(key: Key, { provider, resources, bytes, batchId }: DeliveredBatch): Promise<DeliveredData> {
    const created = { provider, resources, bytes, batches: new Set([batchId]) };
    // Versions that added batches in transactions require the attribute.
    await this.#table.put({ ...key, ...created, version: 1 }, { ConditionExpression: NOT_EXISTS });
    return created;
  }

  /** Returns the bytes of a user's stored data, and the writes that take them out, for one transaction. */
  async takeBytes(scope: TeamScope, userId: string): Promise<{ bytes: number; items: WriteItem[] }> {
    const held = (await this.list(scope, userId)).filter(({ bytes }) => bytes !== 0);
    const items = held.map(({ provider, bytes }) => ({
      Update: {
        TableName: this.#table.name,
        Key: itemKey(scope, userId, provider),
        UpdateExpression: "REMOVE bytes",
        ConditionExpression: "bytes = :bytes",
        ExpressionAttributeValues: { ":bytes": bytes },
      },
    }));
    return { bytes: held.reduce((sum, { bytes }) => sum + bytes, 0), items };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
