import { type AttributeValue, ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Item, Key } from "../../../lib/store/item.ts";
import { DueIndex } from "./due-index.ts";
import { EndpointIndex } from "./endpoint-index.ts";
import { type Bindings, changeOf, conditionOf } from "./expressions.ts";

/** Items of a page without a limit. */
const PAGE_ITEMS = 500;

/** The parameters that the stores of webhooks send. */
interface Input {
  readonly Key?: Key;
  readonly Item?: Item & Key;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Key[] }>;
  readonly IndexName?: string;
  readonly ExclusiveStartKey?: Item;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
}
interface Command {
  readonly constructor: { readonly name: string };
  readonly input: Input;
}

const bindingsOf = (input: Input): Bindings => ({
  names: input.ExpressionAttributeNames ?? {},
  values: input.ExpressionAttributeValues ?? {},
});

/**
 * One table in the memory of this process. It evaluates the expressions of the stores of webhooks as DynamoDB does, and
 * refuses what they do not use.
 */
export class MemoryTable {
  readonly #items = new Map<string, Item & Key>();
  readonly #due = new DueIndex();
  readonly #endpoints = new EndpointIndex();
  requests = 0;

  /** Number of deliveries that have not ended. */
  get openDeliveries(): number {
    return this.#due.openDeliveries;
  }

  /** Answers one request. @throws ConditionalCheckFailedException */
  answer({ constructor: { name }, input }: Command): object {
    this.requests++;
    if (name === "UpdateCommand") return { Attributes: this.#update(input) };
    if (name === "PutCommand") return this.#put(input);
    if (name === "GetCommand") return { Item: this.#get(input.Key) };
    if (name === "BatchGetCommand") return { Responses: this.#getMany(input) };
    if (name === "QueryCommand" && input.IndexName === "due") return this.#queryDue(input);
    if (name === "QueryCommand" && input.IndexName === "by_endpoint") return toAnswer(this.#endpoints.page(input));
    throw new Error(`unknown request ${name}`);
  }

  #get(key: Key | undefined): (Item & Key) | undefined {
    return this.#items.get(`${key?.pk}\n${key?.sk}`);
  }

  #getMany({ RequestItems = {} }: Input) {
    const found = Object.entries(RequestItems).map(([table, { Keys }]) => [
      table,
      Keys.flatMap((key) => this.#get(key) ?? []),
    ]);
    return Object.fromEntries(found);
  }

  #queryDue({ ExpressionAttributeValues, ExclusiveStartKey, Limit = PAGE_ITEMS }: Input) {
    const shard = String(ExpressionAttributeValues?.[":shard"]);
    return toAnswer(this.#due.page(shard, ExclusiveStartKey, Limit));
  }

  #put(input: Input): object {
    const { Item: item } = input;
    if (!item) throw new Error("a put without an item");
    const old = this.#get(item);
    requireCondition(old, input);
    this.#replace(old, { ...item });
    return {};
  }

  #update(input: Input): Item {
    const { Key: key, UpdateExpression = "" } = input;
    if (!key) throw new Error("an update without a key");
    const old = this.#get(key);
    requireCondition(old, input);
    const next = { ...old, ...key };
    changeOf(UpdateExpression)(old ?? {}, next, bindingsOf(input));
    this.#replace(old, next);
    return next;
  }

  #replace(old: Item | undefined, next: Item & Key): void {
    this.#items.set(`${next.pk}\n${next.sk}`, next);
    this.#due.replace(old, next);
    if (!old) this.#endpoints.add(next);
  }
}

const toAnswer = ({ items, hasMore }: { readonly items: readonly Item[]; readonly hasMore: boolean }) => ({
  Items: items,
  ...(hasMore ? { LastEvaluatedKey: items.at(-1) } : {}),
});

function requireCondition(old: Item | undefined, input: Input): void {
  const { ConditionExpression: text } = input;
  if (text === undefined || conditionOf(text)(old ?? {}, bindingsOf(input))) return;
  throw new ConditionalCheckFailedException({
    message: "The conditional request failed",
    $metadata: {},
    ...(old ? { Item: toRawItem(old) } : {}),
  });
}

/** An attribute as the engine answers it; undefined unless it is a string, a number or a set of strings. */
function toRawAttribute(value: unknown): AttributeValue | undefined {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  return value instanceof Set ? { SS: [...value] } : undefined;
}

/** The attributes of an item that explain a failed condition. */
function toRawItem(item: Item): Record<string, AttributeValue> {
  const raw: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(item)) {
    const attribute = toRawAttribute(value);
    if (attribute) raw[name] = attribute;
  }
  return raw;
}

/** Returns a client whose requests reach the table after `delay`. */
export function memoryDocuments(table: MemoryTable, delay: () => Promise<void>): DynamoDBDocumentClient {
  const send = async (command: Command) => {
    await delay();
    return table.answer(command);
  };
  return { send } as unknown as DynamoDBDocumentClient;
}
