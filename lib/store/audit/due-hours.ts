import * as z from "zod";
import type { SealedLog } from "../../domain/audit/chain.ts";
import { hourOf, nameOf } from "../../domain/audit/chain.ts";
import type { Key, Table } from "../table.ts";

/** An hour of a log that has entries and is not sealed. */
export interface DueHour {
  readonly log: SealedLog;
  readonly hour: string;
}

/** Partitions that marks are spread over, as every container writes one an hour for each team that calls it. */
const SHARDS = 8;
/** Logs of which a container remembers that it has marked their hour. */
const MOST_REMEMBERED = 1_000;

const markItem = z.object({
  hour: z.string(),
  of: z.object({ kind: z.enum(["access", "management"]), id: z.string() }),
});

/** Marks hours in which something was noted, so that whoever seals knows where to look and scans nothing. */
export class DueHours {
  readonly #table: Table;
  readonly #prefix: string;
  readonly #marked = new Map<string, string>();

  /** @param prefix what the keys of the marks begin with. */
  constructor(table: Table, prefix: string) {
    this.#table = table;
    this.#prefix = prefix;
  }

  /** Marks the hour of an instant; once for each hour and container, and before the first entry of the hour. */
  async mark(log: SealedLog, at: string): Promise<void> {
    const [name, hour] = [nameOf(log), hourOf(at)];
    if (this.#marked.get(name) === hour) return;
    await this.#table.put({ ...this.#key({ log, hour }), hour, of: log });
    if (this.#marked.size >= MOST_REMEMBERED) this.#marked.clear();
    this.#marked.set(name, hour);
  }

  /** All marked hours, those of each log in their order. */
  async list(): Promise<DueHour[]> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => this.#ofShard(shard));
    return (await Promise.all(shards)).flat();
  }

  /** Takes the mark of an hour that is sealed. */
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
