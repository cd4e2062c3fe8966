import { setTimeout as sleep } from "node:timers/promises";
import { matchesPattern } from "../events/patterns.ts";
import type { FunctionHost } from "../functions/function-host.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { parseBatchItemFailures } from "./queue-mapping.ts";
import { type StreamRecord, TableStream } from "./table-stream.ts";

/** An event source mapping from the stream of a table to a function. */
export interface StreamMappingOptions {
  readonly origin: string;
  readonly region: string;
  readonly tableName: string;
  readonly functionArn: string;
  readonly host: FunctionHost;
  readonly checkpoints: Checkpoints;
  readonly batchSize: number;
  readonly maximumRetryAttempts: number;
  /** Event patterns. A record that matches none is skipped. */
  readonly patterns: readonly unknown[];
  /** Receives each discarded record as Lambda's on-failure destination does: its position, not its content. */
  readonly onDiscarded: (about: object) => void;
}

/** Poll intervals of the stream: without writes, and after a write. */
const IDLE_POLL_MS = 500;
const POLL_AFTER_WRITE_MS = 50;

/** Invokes a function with the changes of a table in order, from the last checkpoint on. */
export class StreamMapping {
  readonly #options: StreamMappingOptions;
  readonly #stream: TableStream;
  #isStopped = false;
  #isHeld = false;
  #failures = 0;
  #iterator: string | undefined;
  #looking: Promise<number> | undefined;
  #nudged = Promise.withResolvers<void>();

  constructor(options: StreamMappingOptions) {
    this.#options = options;
    this.#stream = new TableStream(options.origin, options.tableName);
    void this.#run();
  }

  get tableName(): string {
    return this.#options.tableName;
  }

  /** Makes the next poll come soon, after a write to the table. */
  notifyWrite(): void {
    this.#nudged.resolve();
  }

  /** Processes all records that the stream contains now. @returns the number of records. */
  async drain(): Promise<number> {
    let handled = 0;
    for (let count = 1; count > 0 && !this.#isStopped; ) {
      count = await this.look();
      handled += count;
    }
    return handled;
  }

  /** Stops the polls in the background, for tests that poll by {@link look}. */
  holdPolls(): void {
    this.#isHeld = true;
    this.#nudged.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.notifyWrite();
    await this.#looking?.catch(() => undefined);
    this.#stream.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && !this.#isHeld) {
      const handled = await this.look().catch(() => 0);
      if (handled > 0) continue;
      await Promise.race([this.#nudged.promise, sleep(IDLE_POLL_MS, undefined, { ref: false })]);
      this.#nudged = Promise.withResolvers<void>();
      await sleep(POLL_AFTER_WRITE_MS, undefined, { ref: false });
    }
  }

  /** Polls once at a time. Concurrent calls share the poll in progress. @returns the number of records. */
  look(): Promise<number> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<number> {
    const { checkpoints, tableName } = this.#options;
    this.#iterator ??= await this.#stream.iteratorAfter(checkpoints.get(tableName));
    const { records, next } = await this.#stream.read(this.#iterator, this.#options.batchSize);
    if (records.length > 0) await this.#handle(records, next);
    else this.#iterator = next ?? this.#iterator;
    return records.length;
  }

  async #handle(records: readonly StreamRecord[], next: string | undefined): Promise<void> {
    const failedAt = await this.#invoke(records);
    if (failedAt === undefined) {
      this.#failures = 0;
      this.#commit(records.at(-1));
      this.#iterator = next;
      return;
    }
    this.#commit(records[failedAt - 1]);
    this.#failures++;
    if (this.#failures > this.#options.maximumRetryAttempts) this.#giveUp(records[failedAt]);
    this.#iterator = undefined;
    await sleep(Math.min(50 * 2 ** this.#failures, 1_000), undefined, { ref: false });
  }

  /** @returns the index of the first failed record; undefined when all succeeded. */
  async #invoke(records: readonly StreamRecord[]): Promise<number | undefined> {
    const { host, functionArn, patterns } = this.#options;
    const events = records.map((record) => this.#event(record));
    const wanted = events.filter((event) => patterns.length === 0 || patterns.some((p) => matchesPattern(p, event)));
    if (wanted.length === 0) return undefined;
    try {
      const failed = parseBatchItemFailures(await host.invoke(functionArn, { Records: wanted }));
      if (failed.size === 0) return undefined;
      return events.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    } catch {
      return events.indexOf(wanted[0] as (typeof events)[number]);
    }
  }

  #event({ eventID, eventName, dynamodb }: StreamRecord) {
    return { eventID, eventName, eventSource: "aws:dynamodb", dynamodb };
  }

  #giveUp(record: StreamRecord | undefined): void {
    const { tableName } = this.#options;
    this.#options.onDiscarded({ tableName, sequenceNumber: record?.dynamodb.SequenceNumber, attempts: this.#failures });
    this.#commit(record);
    this.#failures = 0;
  }

  #commit(record: StreamRecord | undefined): void {
    const sequence = record?.dynamodb.SequenceNumber;
    if (sequence) this.#options.checkpoints.set(this.#options.tableName, sequence);
  }
}
