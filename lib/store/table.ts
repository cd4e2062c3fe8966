import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { batchGet } from "./batch-get.ts";
import { mapConditionFailure } from "./condition-failed.ts";
import type { Item, Key } from "./item.ts";
import { assertStartKeyInRange, isEmptyRange } from "./key-range.ts";
import type { ReadItem } from "./read-item.ts";
import { sendOnce } from "./send-once.ts";

/** Condition of a write that must create the item. */
export const NOT_EXISTS = "attribute_not_exists(pk)";

/** A condition or update with the names and values of its expressions. */
export interface Expression {
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** An update, with a condition or without. */
export type ItemUpdate = Expression & { readonly UpdateExpression: string };

/** Builds an update that sets attributes, and removes undefined ones. Aliases all names: DynamoDB reserves hundreds of words. */
export function setExpression(attributes: Readonly<Record<string, unknown>>) {
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => !set.includes(name)).map((name) => `#${name}`);
  const clauses = { SET: set.map((name) => `#${name} = :${name}`), REMOVE: removed };
  const given = Object.entries(clauses).filter(([, parts]) => parts.length > 0);
  return {
    UpdateExpression: given.map(([verb, parts]) => `${verb} ${parts.join(", ")}`).join(" "),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
  };
}

/** One page of a query. */
export interface Page<T> {
  readonly items: T[];
  readonly lastKey: Item | undefined;
}

/** A DynamoDB table: strongly consistent reads by default, parsed items, and failed conditions as errors. */
export class Table {
  readonly documents: DynamoDBDocumentClient;
  readonly name: string;

  constructor(documents: DynamoDBDocumentClient, name: string) {
    this.documents = documents;
    this.name = name;
  }

  /** Returns the parsed item with this key; undefined without one. */
  async get<S extends z.ZodType>(key: Key, schema: S): Promise<z.output<S> | undefined> {
    const answer = await this.documents.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    return answer.Item === undefined ? undefined : schema.parse(answer.Item);
  }

  /** Returns a read of the item with this key for a batch of reads; its result is undefined without an item. */
  readItem<S extends z.ZodType>(key: Key, schema: S): ReadItem<z.output<S> | undefined> {
    return { table: this.name, keys: [key], parse: ([item]) => (item === undefined ? undefined : schema.parse(item)) };
  }

  /** Returns the items that exist, in no order. */
  async getMany<S extends z.ZodType>(keys: readonly Key[], schema: S): Promise<z.output<S>[]> {
    const found: z.output<S>[] = [];
    for await (const item of batchGet(this.documents, this.name, keys)) found.push(schema.parse(item));
    return found;
  }

  /** Writes one item. @throws ConditionFailed if the condition fails. */
  async put(item: Item & Key, condition?: Expression): Promise<void> {
    await mapConditionFailure(
      this.documents.send(
        new PutCommand({
          TableName: this.name,
          Item: item,
          ...condition,
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      ),
    );
  }

  /** Updates one item and returns it. @throws ConditionFailed if the condition fails. */
  async update(key: Key, change: ItemUpdate): Promise<Item> {
    return this.#update(this.#updateCommand(key, change));
  }

  /** Like `update`, for a change that must not take effect twice. @throws Error also when the outcome is unknown. */
  async updateOnce(key: Key, change: ItemUpdate): Promise<Item> {
    return this.#update(sendOnce(this.#updateCommand(key, change)));
  }

  #updateCommand(key: Key, change: ItemUpdate): UpdateCommand {
    const returned = { ReturnValues: "ALL_NEW", ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
    return new UpdateCommand({ TableName: this.name, Key: key, ...change, ...returned });
  }

  async #update(command: UpdateCommand): Promise<Item> {
    const answer = await mapConditionFailure(this.documents.send(command));
    return answer.Attributes ?? {};
  }

  /** Deletes one item if it exists. @throws ConditionFailed if the condition fails. */
  async delete(key: Key, condition?: Expression): Promise<void> {
    await mapConditionFailure(this.documents.send(new DeleteCommand({ TableName: this.name, Key: key, ...condition })));
  }

  /**
   * Returns one page of a partition or index, parsed. Index reads are eventually consistent on AWS. A range that ends
   * before it starts returns no items.
   * @throws StartKeyRefused
   */
  async query<S extends z.ZodType>(input: Omit<QueryCommandInput, "TableName">, schema: S): Promise<Page<z.output<S>>> {
    if (isEmptyRange(input)) return { items: [], lastKey: undefined };
    assertStartKeyInRange(input);
    const answer = await this.documents.send(
      new QueryCommand({ TableName: this.name, ConsistentRead: input.IndexName === undefined, ...input }),
    );
    return { items: (answer.Items ?? []).map((item) => schema.parse(item)), lastKey: answer.LastEvaluatedKey };
  }

  /** Yields every item of a query, page by page. */
  async *queryAll<S extends z.ZodType>(
    input: Omit<QueryCommandInput, "TableName" | "ConsistentRead" | "ExclusiveStartKey">,
    schema: S,
  ): AsyncGenerator<z.output<S>> {
    let start: Item | undefined;
    do {
      const page = await this.query(start === undefined ? input : { ...input, ExclusiveStartKey: start }, schema);
      yield* page.items;
      start = page.lastKey;
    } while (start !== undefined);
  }

  /** Returns the number of items in a partition. */
  async countPartition(pk: string): Promise<number> {
    let count = 0;
    let start: Item | undefined;
    do {
      const input: QueryCommandInput = {
        TableName: this.name,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": pk },
        Select: "COUNT",
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      };
      const answer = await this.documents.send(new QueryCommand(input));
      count += answer.Count ?? 0;
      start = answer.LastEvaluatedKey;
    } while (start !== undefined);
    return count;
  }

  /** Deletes every item of a partition. @returns the number of deleted items. */
  async deletePartition(pk: string): Promise<number> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ProjectionExpression: "pk, sk",
      ExpressionAttributeValues: { ":pk": pk },
    };
    let erased = 0;
    const batch: Key[] = [];
    for await (const { pk, sk } of this.queryAll(input, keySchema)) {
      batch.push({ pk, sk });
      if (batch.length === DELETES_PER_REQUEST) await this.#removeAll(batch.splice(0));
      erased++;
    }
    if (batch.length > 0) await this.#removeAll(batch);
    return erased;
  }

  async #removeAll(keys: Key[]): Promise<void> {
    let waiting: NonNullable<BatchWriteCommandInput["RequestItems"]> = {
      [this.name]: keys.map((Key) => ({ DeleteRequest: { Key } })),
    };
    while (Object.keys(waiting).length > 0) {
      const answer = await this.documents.send(new BatchWriteCommand({ RequestItems: waiting }));
      waiting = answer.UnprocessedItems ?? {};
    }
  }
}

const keySchema = z.object({ pk: z.string(), sk: z.string() });
/** Maximum deletes of one BatchWriteItem request. */
const DELETES_PER_REQUEST = 25;
