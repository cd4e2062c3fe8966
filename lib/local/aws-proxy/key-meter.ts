import { isJsonObject } from "../../domain/shared/json.ts";
import type { AwsRequest } from "./aws-request.ts";
import { findIndexKeys, type WrittenElement, writtenElements } from "./index-keys.ts";
import type { Permission } from "./permission.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** Capacity units that one request of a function used of one partition key. */
export interface KeyUse {
  /** Physical name of the function. */
  readonly caller: string;
  readonly table: string;
  /** Name of the secondary index whose key it is; undefined for the table's own key. */
  readonly index?: string;
  readonly key: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Capacity of a request by table and index (DynamoDB API reference, ConsumedCapacity). */
export interface IndexedCapacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
  readonly GlobalSecondaryIndexes: Readonly<Record<string, unknown>>;
}

/** Stands for the key that an item had in an index before the meter saw it. */
const UNSEEN_KEY = "unseen";

/**
 * Counts capacity units by partition key, of tables and of their indexes. It is off until {@link KeyMeter.start},
 * because the number of keys is that of all users.
 *
 * A request to several keys has one sum of units, which its keys share evenly. A write that moves an item from one
 * partition of an index to another counts at the new one. Items that were written before the start have an unseen key.
 */
export class KeyMeter {
  #uses: KeyUse[] | undefined;
  readonly #indexKeys = new Map<string, string>();

  start(): void {
    this.#uses = [];
  }

  /** Returns the uses since the last call, and goes on. */
  take(): readonly KeyUse[] {
    const uses = this.#uses ?? [];
    if (this.#uses) this.#uses = [];
    return uses;
  }

  /** Records a request that reached its engine. */
  record(
    caller: string,
    request: AwsRequest,
    required: readonly Permission[],
    consumed: readonly IndexedCapacity[],
    { tables }: Pick<ResourceIndex, "tables">,
  ): void {
    if (!this.#uses) return;
    const isRead = required.every(({ action }) => /:(GetItem|BatchGetItem|Query|Scan)$/.test(action));
    for (const { TableName: table, CapacityUnits, GlobalSecondaryIndexes } of consumed) {
      const ofIndexes = Object.entries(GlobalSecondaryIndexes).map(
        ([index, units]) => [index, unitsOf(units)] as const,
      );
      const ofTable = CapacityUnits - ofIndexes.reduce((sum, [, units]) => sum + units, 0);
      const use = (keys: readonly string[], units: number, index?: string) =>
        this.#share({ caller, table, ...(index === undefined ? {} : { index }) }, keys, units, isRead);
      if (ofTable > 0) use(leadingKeys(required, `table/${table}`), ofTable);
      const elements = isRead ? [] : writtenElements(request, table);
      for (const [index, units] of ofIndexes) {
        const attribute = tables.get(table)?.indexes.get(index) ?? "";
        const name = `table/${table}/index/${index}`;
        use(isRead ? leadingKeys(required, name) : this.#indexKeysOf(table, attribute, elements), units, index);
      }
    }
  }

  /** The partitions of an index to which written items belong. */
  #indexKeysOf(table: string, attribute: string, elements: readonly WrittenElement[]): string[] {
    const keys = elements.flatMap((element) => {
      const item = `${table} ${attribute} ${element.id}`;
      const { now, isGone } = findIndexKeys(element, attribute);
      const before = this.#indexKeys.get(item);
      if (now !== undefined) this.#indexKeys.set(item, now);
      else if (isGone) this.#indexKeys.delete(item);
      return now ?? before ?? [];
    });
    return keys.length > 0 ? keys : [UNSEEN_KEY];
  }

  #share(of: Pick<KeyUse, "caller" | "table" | "index">, keys: readonly string[], units: number, isRead: boolean) {
    for (const key of keys) {
      const share = units / keys.length;
      this.#uses?.push({ ...of, key, readUnits: isRead ? share : 0, writeUnits: isRead ? 0 : share });
    }
  }
}

const unitsOf = (units: unknown): number =>
  isJsonObject(units) && typeof units.CapacityUnits === "number" ? units.CapacityUnits : 0;

const leadingKeys = (required: readonly Permission[], resource: string): string[] =>
  required.filter((one) => one.resource.endsWith(`:${resource}`)).flatMap((one) => one.leadingKeys ?? []);
