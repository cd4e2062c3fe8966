import type * as z from "zod";
import type { Table } from "./table.ts";

const isoAt = (ms: number): string => new Date(ms).toISOString();

/** Items that are due, and the due time (ISO 8601) of the next item. */
export interface DueItems<T> {
  readonly due: T[];
  readonly nextDueAt: string | undefined;
}

/** Builds the query of one partition of an index by due time, earliest first. @param after earlier bound, ISO 8601. */
export const dueQuery = (partition: string, limit?: number, after?: string) => ({
  IndexName: "due",
  KeyConditionExpression: after === undefined ? "due_shard = :shard" : "due_shard = :shard AND due_at > :after",
  ExpressionAttributeValues: { ":shard": partition, ...(after === undefined ? {} : { ":after": after }) },
  ...(limit === undefined ? {} : { Limit: limit }),
});

/** Partitions of the index that a sweep reads. */
interface DuePartitions<S extends z.ZodType> {
  readonly partitions: readonly string[];
  readonly schema: S;
  /** Returns the due time of an item, ISO 8601. */
  readonly dueAt: (item: z.output<S>) => string;
  /** Maximum due items of one partition; by default all. */
  readonly limit?: number;
  /** Items of one query, by default `limit`. A query reads this many also if none is due. */
  readonly pageSize?: number;
  /** Items due until then (ISO 8601) are left out. */
  readonly after?: string;
}

/** Finds the items of partitions that are due. @param now ISO 8601. */
export async function findDueItems<S extends z.ZodType>(
  table: Table,
  { partitions, schema, dueAt, limit, pageSize = limit, after }: DuePartitions<S>,
  now: string,
): Promise<DueItems<z.output<S>>> {
  const due: z.output<S>[] = [];
  let nextDueAt: string | undefined;
  for (const partition of partitions) {
    const most = limit === undefined ? undefined : due.length + limit;
    for await (const item of table.queryAll(dueQuery(partition, pageSize, after), schema)) {
      const at = dueAt(item);
      if (at > now || due.length === most) {
        if (nextDueAt === undefined || at < nextDueAt) nextDueAt = at;
        break;
      }
      due.push(item);
    }
  }
  return { due, nextDueAt };
}

/** Size of the index of one entity. */
interface ShardSizes {
  /** Number of partitions. */
  readonly count: number;
  /** Maximum items of one partition in one sweep. A sweep has less than a minute. */
  readonly limit: number;
  /** Items of one query, by default `limit`. */
  readonly pageSize?: number;
  /** The one partition of earlier versions, which an item leaves at its next change. */
  readonly former?: string;
}

/** Index partitions of one entity. They share the load of writes: the id of an item selects its partition. */
export class DueShards {
  readonly #prefix: string;
  readonly #sizes: ShardSizes;

  constructor(prefix: string, sizes: ShardSizes) {
    this.#prefix = prefix;
    this.#sizes = sizes;
  }

  /** Returns the partition of an item. */
  of(id: string): string {
    return `${this.#prefix}${id.charCodeAt(id.length - 1) % this.#sizes.count}`;
  }

  /**
   * Finds the items that have been due for a grace period, and the end of the next one.
   * @param graceMs time in which a queue message starts the work of an item before the sweeper does.
   */
  async find<S extends z.ZodType<{ due_at: string }>>(
    table: Table,
    schema: S,
    nowMs: number,
    graceMs = 0,
  ): Promise<DueItems<z.output<S>>> {
    const { due, nextDueAt } = await findDueItems(table, this.#search(schema), isoAt(nowMs - graceMs));
    return { due, nextDueAt: nextDueAt && isoAt(Date.parse(nextDueAt) + graceMs) };
  }

  /** Finds the items that become due after `fromMs` and until `toMs`, epoch ms, and the due time of the next one. */
  findBetween<S extends z.ZodType<{ due_at: string }>>(
    table: Table,
    schema: S,
    fromMs: number,
    toMs: number,
  ): Promise<DueItems<z.output<S>>> {
    return findDueItems(table, { ...this.#search(schema), after: isoAt(fromMs) }, isoAt(toMs));
  }

  #search<S extends z.ZodType<{ due_at: string }>>(schema: S): DuePartitions<S> {
    const { count, former, ...bounds } = this.#sizes;
    const own = Array.from({ length: count }, (_, number) => `${this.#prefix}${number}`);
    const partitions = former === undefined ? own : [former, ...own];
    return { partitions, schema, dueAt: (item) => item.due_at, ...bounds };
  }
}
