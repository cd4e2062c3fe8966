import * as z from "zod";
import type { SealedLog } from "../../domain/audit/hash-chain.ts";
import { hourOf, sealedLogName } from "../../domain/audit/hash-chain.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";

/** An hour of a log with entries and without a seal. */
export interface UnsealedHour {
  readonly log: SealedLog;
  readonly hour: string;
}

/** Number of partitions for marks. Every container writes one mark an hour for each team that calls it. */
const SHARDS = 8;
/** Maximum logs whose marked hour a container caches. */
const MAX_CACHED_LOGS = 1_000;

const markItem = z.object({
  hour: z.string(),
  of: z.object({ kind: z.enum(["access", "management"]), id: z.string() }),
});

/** Marks the hours with entries, so that sealing finds them without a scan. */
export class UnsealedHourStore {
  readonly #table: Table;
  readonly #prefix: string;
  readonly #marked = new Map<string, string>();

  /** @param prefix key prefix of the marks. */
  constructor(table: Table, prefix: string) {
    this.#table = table;
    this.#prefix = prefix;
  }

  /** Marks the hour of an instant: once for each hour and container, before the first entry of the hour. */
  async mark(log: SealedLog, at: string): Promise<void> {
    const [name, hour] = [sealedLogName(log), hourOf(at)];
    if (this.#marked.get(name) === hour) return;
    await this.#table.put({ ...this.#key({ log, hour }), hour, of: log });
    if (this.#marked.size >= MAX_CACHED_LOGS) this.#marked.clear();
    this.#marked.set(name, hour);
  }

  /** Returns all marked hours, those of each log in order. */
  async list(): Promise<UnsealedHour[]> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => this.#ofShard(shard));
    return (await Promise.all(shards)).flat();
  }

  /** Deletes the mark of a sealed hour. */
  delete(due: UnsealedHour): Promise<void> {
    return this.#table.delete(this.#key(due));
  }

  #ofShard(shard: number): Promise<UnsealedHour[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": this.#partition(shard) } };
    return Array.fromAsync(this.#table.queryAll(input, markItem), ({ hour, of }) => ({ hour, log: of }));
  }

  #partition(shard: number): string {
    return `${this.#prefix}${shard}`;
  }

  #key({ log, hour }: UnsealedHour): Key {
    return {
      pk: this.#partition(Number.parseInt(log.id.slice(-1), 16) % SHARDS || 0),
      sk: `${hour}#${sealedLogName(log)}`,
    };
  }
}
