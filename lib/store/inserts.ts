import { BatchExecuteStatementCommand } from "@aws-sdk/lib-dynamodb";
import { ConditionFailed } from "./condition-failed.ts";
import { type Item, isNew, type Key, type Table } from "./table.ts";

/** The most statements of one request (DynamoDB developer guide, "Running batch operations with PartiQL"). */
const MOST_ITEMS = 25;
/** Longer items go alone: a request of many has a bound too, and gains nothing from them. */
const MOST_BYTES = 40_000;

interface Waiting {
  readonly item: Item & Key;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Writes items of one table that are the first of their keys. Those that are asked for at the same time go in one request
 * of up to 25, each with an outcome of its own and at the price of a single write: a history that is stored makes so many
 * requests less.
 */
export class Inserts {
  readonly #table: Table;
  #waiting: Waiting[] = [];

  constructor(table: Table) {
    this.#table = table;
  }

  /** Writes an item together with others. @throws ConditionFailed when there is one of its key. */
  insert(item: Item & Key): Promise<void> {
    // A request names no key twice; of two that race for one, the second is refused either way.
    const isRaced = this.#waiting.some((one) => one.item.pk === item.pk && one.item.sk === item.sk);
    if (isRaced || sizeOf(item) > MOST_BYTES) return this.insertAlone(item);
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ item, done });
    // Whoever asks at the same time does so before anything else is done.
    if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    return done.promise;
  }

  /** Writes an item by itself. @throws ConditionFailed when there is one of its key. */
  insertAlone(item: Item & Key): Promise<void> {
    return this.#table.put(item, { ConditionExpression: isNew });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let first = 0; first < waiting.length; first += MOST_ITEMS) {
      const some = waiting.slice(first, first + MOST_ITEMS);
      this.#send(some).catch((error) => {
        for (const { done } of some) done.reject(error);
      });
    }
  }

  async #send(waiting: readonly Waiting[]): Promise<void> {
    const { documents, name } = this.#table;
    const Statements = waiting.map(({ item }) => insertion(name, item));
    const { Responses = [] } = await documents.send(new BatchExecuteStatementCommand({ Statements }));
    for (const [place, { item, done }] of waiting.entries()) {
      const { Error: refusal } = Responses[place] ?? { Error: {} };
      if (refusal === undefined) done.resolve();
      else if (refusal.Code === "DuplicateItem") done.reject(new ConditionFailed(new Map()));
      // What stands in the way of one for a moment is tried again by the client only where it is asked for alone.
      else this.insertAlone(item).then(done.resolve, done.reject);
    }
  }
}

/** A statement that inserts an item; its names are our own, so none needs to be escaped. */
function insertion(table: string, item: Item) {
  const names = Object.keys(item).map((name) => `'${name}': ?`);
  return { Statement: `INSERT INTO "${table}" VALUE {${names.join(", ")}}`, Parameters: Object.values(item) };
}

const sizeOf = (item: Item): number =>
  Object.values(item).reduce<number>((size, value) => size + (value instanceof Uint8Array ? value.length : 0), 0);
