import type { Permission } from "./permission.ts";

/** Whether data that the tracked functions read has been written since; undefined when their reads are unknown. */
export type StalenessCheck = () => boolean | undefined;

const READ_ACTIONS = /^dynamodb:(GetItem|BatchGetItem|Query|Scan|ConditionCheckItem)$/;
/** Actions that do not count as reads: sweepers decide by their queries, and write under conditions. */
const IGNORED_ACTIONS =
  /^(dynamodb:(PutItem|UpdateItem|DeleteItem|BatchWriteItem|PartiQLInsert)|sqs:SendMessage|events:PutEvents|kms:)/;
const ANY_RESOURCE = "*";
/** Maximum number of tracked names: an index can have as many partitions as items. */
const MAX_TRACKED_NAMES = 10_000;
const anyPartitionOf = (index: string): string => `${index}#`;

/** Name of an index, with the name of its table as prefix. */
export const indexResourceName = (table: string, index: string): string => `${table}/index/${index}`;
/** Name of one partition of an index. */
export const indexPartitionName = (index: string, key: string): string => `${index}#${key}`;
/** Name that stands for a table and all its indexes. */
export const tableWildcard = (table: string): string => `${table}/${ANY_RESOURCE}`;

/**
 * Tracks which tables and index partitions functions write, and which of them the scheduled functions read. A scheduled
 * function needs no further run before data that it read has been written.
 */
export class ReadWriteTracker {
  #count = 0;
  readonly #onWrite: (name: string) => void;
  readonly #written = new Map<string, number>();
  readonly #seen = new Map<string, Set<string>>();

  /** @param onWrite called with the name of each write, see {@link ReadWriteTracker.recordWrite}. */
  constructor(onWrite: (name: string) => void = () => undefined) {
    this.#onWrite = onWrite;
  }

  /** Starts tracking the reads of functions (physical names). */
  trackReads(functions: readonly string[]): StalenessCheck {
    const since = this.#count;
    for (const name of functions) this.#seen.set(name, new Set());
    return () => {
      const seen = functions.map((name) => [...(this.#seen.get(name) ?? [])]);
      if (seen.some((names) => names.length === 0 || names.includes(ANY_RESOURCE))) return undefined;
      return seen.flat().some((name) => this.#writtenAt(name) > since);
    };
  }

  /** Records what a function reads by a call. */
  recordRead(caller: string, { action, resource, leadingKeys: [key] = [] }: Permission): void {
    if (IGNORED_ACTIONS.test(action)) return;
    const name = resource.slice(resource.indexOf("/") + 1);
    const isPart = key !== undefined && name.includes("/");
    this.#seen
      .get(caller)
      ?.add(READ_ACTIONS.test(action) ? (isPart ? indexPartitionName(name, key) : name) : ANY_RESOURCE);
  }

  /** Records a call to an external service, whose response may differ each time. */
  recordExternalCall(caller: string): void {
    this.#seen.get(caller)?.add(ANY_RESOURCE);
  }

  /**
   * Records a write.
   * @param name of a table, an index, an index partition, or {@link tableWildcard} a table. The default stands for everything.
   */
  recordWrite(name = ANY_RESOURCE): void {
    this.#count += 1;
    if (this.#written.size > MAX_TRACKED_NAMES) this.#forget();
    this.#written.set(name, this.#count);
    const [index = ""] = name.split("#");
    if (index !== name) this.#written.set(anyPartitionOf(index), this.#count);
    this.#onWrite(name);
  }

  /** Replaces all records by one that covers everything. Its only effect is an additional run of each schedule. */
  #forget(): void {
    this.#written.clear();
    this.#written.set(ANY_RESOURCE, this.#count);
  }

  /** Whether a write with this name affects a table. */
  static affectsTable(name: string, table: string): boolean {
    return name === ANY_RESOURCE || name.split("/")[0] === table;
  }

  #writtenAt(name: string): number {
    const [table = ""] = name.split("/");
    const [index = ""] = name.split("#");
    const around = index === name ? anyPartitionOf(index) : index;
    return Math.max(...[name, around, tableWildcard(table), ANY_RESOURCE].map((one) => this.#written.get(one) ?? 0));
  }
}
