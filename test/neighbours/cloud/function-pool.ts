import type { FairQueue, QueuedMessage } from "./fair-queue.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The event source mapping of a queue and the instances of its function. */
export interface PoolOptions<M> {
  readonly queue: FairQueue<M>;
  /** Maximum concurrency of the mapping. */
  readonly most: number;
  readonly batchSize: number;
  /** Time from a visible message to the begin of its invocation, ms. */
  readonly startMs: () => number;
  /** Consumes a batch in one instance. @returns the messages that failed. */
  readonly invoke: (messages: readonly QueuedMessage<M>[], instance: number) => Promise<ReadonlySet<QueuedMessage<M>>>;
}

/** The instances of one function. Each takes a batch at a time, and the next one as soon as it has ended. */
export class FunctionPool<M> {
  readonly #time: VirtualTime;
  readonly #options: PoolOptions<M>;
  readonly #free: number[];
  #polls = 0;
  /** The most instances that messages of one group held at the same time, by group. */
  readonly mostHeld = new Map<string, number>();
  readonly #held = new Map<string, number>();

  constructor(time: VirtualTime, options: PoolOptions<M>) {
    this.#time = time;
    this.#options = options;
    this.#free = Array.from({ length: options.most }, (_, index) => options.most - 1 - index);
    options.queue.onVisible = () => this.#fill();
  }

  #fill(): void {
    const { queue, startMs } = this.#options;
    if (this.#polls >= this.#free.length || !queue.hasVisible) return;
    this.#polls++;
    this.#time.at(this.#time.now() + startMs(), () => {
      this.#polls--;
      const instance = this.#free.pop();
      const messages = instance === undefined ? [] : queue.receive(this.#options.batchSize);
      if (instance !== undefined && messages.length > 0) void this.#run(messages, instance);
      else if (instance !== undefined) this.#free.push(instance);
      this.#fill();
    });
  }

  async #run(messages: readonly QueuedMessage<M>[], instance: number): Promise<void> {
    const groups = new Set(messages.map(({ group }) => group));
    this.#count(groups, 1);
    const failed = await this.#options.invoke(messages, instance);
    for (const message of messages) this.#options.queue.end(message, !failed.has(message));
    this.#count(groups, -1);
    this.#free.push(instance);
    this.#fill();
  }

  #count(groups: ReadonlySet<string>, change: number): void {
    for (const group of groups) {
      const held = (this.#held.get(group) ?? 0) + change;
      this.#held.set(group, held);
      this.mostHeld.set(group, Math.max(held, this.mostHeld.get(group) ?? 0));
    }
  }
}
