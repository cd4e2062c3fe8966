import type { Permission } from "./permission.ts";

/** Whether data that the tracked functions read has been written since; undefined when their reads are unknown. */
export type Look = () => boolean | undefined;

const READING = /^dynamodb:(GetItem|BatchGetItem|Query|Scan|ConditionCheckItem)$/;
/** Actions that do not count as reads: sweepers decide by their queries, and write under conditions. */
const TELLING_NOTHING =
  /^(dynamodb:(PutItem|UpdateItem|DeleteItem|BatchWriteItem|PartiQLInsert)|sqs:SendMessage|events:PutEvents|kms:)/;
const ANYTHING = "*";
/** Maximum number of tracked names: an index can have as many partitions as items. */
const MOST_NAMES = 10_000;
const anyPartOf = (index: string): string => `${index}#`;

/** Name of an index, with the name of its table as prefix. */
export const indexName = (table: string, index: string): string => `${table}/index/${index}`;
/** Name of one partition of an index. */
export const partOf = (index: string, key: string): string => `${index}#${key}`;
/** Name that stands for a table and all its indexes. */
export const allOf = (table: string): string => `${table}/${ANYTHING}`;

/**
 * Tracks which tables and index partitions functions write, and which of them the scheduled functions read. A scheduled
 * function needs no further run before data that it read has been written.
 */
export class Changes {
  #count = 0;
  readonly #onWrite: (name: string) => void;
  readonly #written = new Map<string, number>();
  readonly #seen = new Map<string, Set<string>>();

  /** @param onWrite called with the name of each write, see {@link Changes.noteWrite}. */
  constructor(onWrite: (name: string) => void = () => undefined) {
    this.#onWrite = onWrite;
  }

  /** Starts tracking the reads of functions (physical names). */
  begin(functions: readonly string[]): Look {
    const since = this.#count;
    for (const name of functions) this.#seen.set(name, new Set());
    return () => {
      const seen = functions.map((name) => [...(this.#seen.get(name) ?? [])]);
      if (seen.some((names) => names.length === 0 || names.includes(ANYTHING))) return undefined;
      return seen.flat().some((name) => this.#writtenAt(name) > since);
    };
  }

  /** Records what a function reads by a call. */
  noteUse(caller: string, { action, resource, leadingKeys: [key] = [] }: Permission): void {
    if (TELLING_NOTHING.test(action)) return;
    const name = resource.slice(resource.indexOf("/") + 1);
    const isPart = key !== undefined && name.includes("/");
    this.#seen.get(caller)?.add(READING.test(action) ? (isPart ? partOf(name, key) : name) : ANYTHING);
  }

  /** Records a call to an external service, whose response may differ each time. */
  noteOutside(caller: string): void {
    this.#seen.get(caller)?.add(ANYTHING);
  }

  /**
   * Records a write.
   * @param name of a table, an index, an index partition, or {@link allOf} a table. The default stands for everything.
   */
  noteWrite(name = ANYTHING): void {
    this.#count += 1;
    if (this.#written.size > MOST_NAMES) this.#forget();
    this.#written.set(name, this.#count);
    const [index = ""] = name.split("#");
    if (index !== name) this.#written.set(anyPartOf(index), this.#count);
    this.#onWrite(name);
  }

  /** Replaces all records by one that covers everything. Its only effect is an additional run of each schedule. */
  #forget(): void {
    this.#written.clear();
    this.#written.set(ANYTHING, this.#count);
  }

  /** Whether a write with this name affects a table. */
  static isOf(name: string, table: string): boolean {
    return name === ANYTHING || name.split("/")[0] === table;
  }

  #writtenAt(name: string): number {
    const [table = ""] = name.split("/");
    const [index = ""] = name.split("#");
    const around = index === name ? anyPartOf(index) : index;
    return Math.max(...[name, around, allOf(table), ANYTHING].map((one) => this.#written.get(one) ?? 0));
  }
}
