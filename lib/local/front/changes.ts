import type { Permission } from "./permission.ts";

/** Tells whether anything that a look saw has been written since it began; undefined where what it saw is not known. */
export type Look = () => boolean | undefined;

const READING = /^dynamodb:(GetItem|BatchGetItem|Query|Scan|ConditionCheckItem)$/;
/** What no look decides by: sweepers go by what they have queried, and write under conditions. */
const TELLING_NOTHING =
  /^(dynamodb:(PutItem|UpdateItem|DeleteItem|BatchWriteItem|PartiQLInsert)|sqs:SendMessage|events:PutEvents|kms:)/;
const ANYTHING = "*";
/** Indexes may have as many parts as items. */
const MOST_NAMES = 10_000;
const anyPartOf = (index: string): string => `${index}#`;

/** An index of a table, as a part of the table's name. */
export const indexName = (table: string, index: string): string => `${table}/index/${index}`;
/** What an index has under one value of its partition key. */
export const partOf = (index: string, key: string): string => `${index}#${key}`;
/** All that belongs to a table. */
export const allOf = (table: string): string => `${table}/${ANYTHING}`;

/**
 * What functions write to tables and their indexes, and what those that look for work read: looking again is of no use
 * before something of that has been written.
 */
export class Changes {
  #count = 0;
  readonly #onWrite: (name: string) => void;
  readonly #written = new Map<string, number>();
  readonly #seen = new Map<string, Set<string>>();

  /** @param onWrite told what was written, as {@link Changes.noteWrite} is. */
  constructor(onWrite: (name: string) => void = () => undefined) {
    this.#onWrite = onWrite;
  }

  /** Begins a look of functions (physical names). */
  begin(functions: readonly string[]): Look {
    const since = this.#count;
    for (const name of functions) this.#seen.set(name, new Set());
    return () => {
      const seen = functions.map((name) => [...(this.#seen.get(name) ?? [])]);
      if (seen.some((names) => names.length === 0 || names.includes(ANYTHING))) return undefined;
      return seen.flat().some((name) => this.#writtenAt(name) > since);
    };
  }

  /** Notes what a function may learn from a call. */
  noteUse(caller: string, { action, resource, leadingKeys: [key] = [] }: Permission): void {
    if (TELLING_NOTHING.test(action)) return;
    const name = resource.slice(resource.indexOf("/") + 1);
    const isPart = key !== undefined && name.includes("/");
    this.#seen.get(caller)?.add(READING.test(action) ? (isPart ? partOf(name, key) : name) : ANYTHING);
  }

  /** Notes that a function asked somebody outside, whose answer may always be another one. */
  noteOutside(caller: string): void {
    this.#seen.get(caller)?.add(ANYTHING);
  }

  /** Notes that a table, an index of it or a part of that, or all that belongs to it was written; without a name, that anything was. */
  noteWrite(name = ANYTHING): void {
    this.#count += 1;
    if (this.#written.size > MOST_NAMES) this.#forget();
    this.#written.set(name, this.#count);
    const [index = ""] = name.split("#");
    if (index !== name) this.#written.set(anyPartOf(index), this.#count);
    this.#onWrite(name);
  }

  /** Whoever looks then looks once more than need be. */
  #forget(): void {
    this.#written.clear();
    this.#written.set(ANYTHING, this.#count);
  }

  /** Whether what was written, by its name, belongs to a table or may. */
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
