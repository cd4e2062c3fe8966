import { BatchExecuteStatementCommand } from "@aws-sdk/lib-dynamodb";
import { ConditionFailed } from "./condition-failed.ts";
import type { Item, Key } from "./item.ts";
import { NOT_EXISTS, type Table } from "./table.ts";

/** Maximum statements of one request (DynamoDB developer guide, "Running batch operations with PartiQL"). */
const MAX_STATEMENTS = 25;
/** Larger items are written alone: a batch request has a size limit too, and large items gain nothing from it. */
const MAX_BATCHED_ITEM_BYTES = 40_000;

interface PendingInsert {
  readonly item: Item & Key;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Inserts new items of one table. Concurrent inserts share requests of up to 25 items, each with its own outcome at the
 * price of a single write. This saves most requests when history is stored.
 */
export class InsertBatcher {
  readonly #table: Table;
  #waiting: PendingInsert[] = [];

  constructor(table: Table) {
    this.#table = table;
  }

  /** Inserts an item in a batch. @throws ConditionFailed if its key exists. */
  insert(item: Item & Key): Promise<void> {
    // A batch request must not name a key twice. Of two concurrent inserts of one key, the second fails in any case.
    const isRaced = this.#waiting.some((one) => one.item.pk === item.pk && one.item.sk === item.sk);
    if (isRaced || sizeOf(item) > MAX_BATCHED_ITEM_BYTES) return this.insertSingle(item);
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ item, done });
    // Collects the inserts of the current event loop turn.
    if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    return done.promise;
  }

  /** Inserts an item in its own request. @throws ConditionFailed if its key exists. */
  insertSingle(item: Item & Key): Promise<void> {
    return this.#table.put(item, { ConditionExpression: NOT_EXISTS });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let first = 0; first < waiting.length; first += MAX_STATEMENTS) {
      const some = waiting.slice(first, first + MAX_STATEMENTS);
      this.#send(some).catch((error) => {
        for (const { done } of some) done.reject(error);
      });
    }
  }

  async #send(waiting: readonly PendingInsert[]): Promise<void> {
    const { documents, name } = this.#table;
    const Statements = waiting.map(({ item }) => insertion(name, item));
    const { Responses = [] } = await documents.send(new BatchExecuteStatementCommand({ Statements }));
    for (const [place, { item, done }] of waiting.entries()) {
      const { Error: refusal } = Responses[place] ?? { Error: {} };
      if (refusal === undefined) done.resolve();
      else if (refusal.Code === "DuplicateItem") done.reject(new ConditionFailed(new Map()));
      // The client retries transient errors only of single requests.
      else this.insertSingle(item).then(done.resolve, done.reject);
    }
  }
}

/** Builds an insert statement. Attribute names are our own, so none needs escaping. */
function insertion(table: string, item: Item) {
  const names = Object.keys(item).map((name) => `'${name}': ?`);
  return { Statement: `INSERT INTO "${table}" VALUE {${names.join(", ")}}`, Parameters: Object.values(item) };
}

const sizeOf = (item: Item): number =>
  Object.values(item).reduce<number>((size, value) => size + (value instanceof Uint8Array ? value.length : 0), 0);
