import * as z from "zod";
import type { SealedLog } from "../../domain/audit/chain.ts";
import { hourOf, nameOf } from "../../domain/audit/chain.ts";
import type { Key, Table } from "../table.ts";

/** An hour of a log with entries and without a seal. */
export interface DueHour {
  readonly log: SealedLog;
  readonly hour: string;
}

/** Number of partitions for marks. Every container writes one mark an hour for each team that calls it. */
const SHARDS = 8;
/** Maximum logs whose marked hour a container caches. */
const MOST_REMEMBERED = 1_000;

const markItem = z.object({
  hour: z.string(),
  of: z.object({ kind: z.enum(["access", "management"]), id: z.string() }),
});

/** Marks the hours with entries, so that sealing finds them without a scan. */
export class DueHours {
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
    const [name, hour] = [nameOf(log), hourOf(at)];
    if (this.#marked.get(name) === hour) return;
    await this.#table.put({ ...this.#key({ log, hour }), hour, of: log });
    if (this.#marked.size >= MOST_REMEMBERED) this.#marked.clear();
    this.#marked.set(name, hour);
  }

  /** Returns all marked hours, those of each log in order. */
  async list(): Promise<DueHour[]> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => this.#ofShard(shard));
    return (await Promise.all(shards)).flat();
  }

  /** Deletes the mark of a sealed hour. */
  remove(due: DueHour): Promise<void> {
    return this.#table.remove(this.#key(due));
  }

  #ofShard(shard: number): Promise<DueHour[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": this.#partition(shard) } };
    return Array.fromAsync(this.#table.all(input, markItem), ({ hour, of }) => ({ hour, log: of }));
  }

  #partition(shard: number): string {
    return `${this.#prefix}${shard}`;
  }

  #key({ log, hour }: DueHour): Key {
    return { pk: this.#partition(Number.parseInt(log.id.slice(-1), 16) % SHARDS || 0), sk: `${hour}#${nameOf(log)}` };
  }
}
