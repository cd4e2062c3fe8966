import type { TurnsState } from "../turns-state.ts";

/** A message in one of the queues. */
export interface QueuedMessage {
  /** The delivery of the model. */
  readonly delivery: number;
  readonly isEvent: boolean;
  /** When a worker may receive it, epoch ms. */
  readonly dueMs: number;
  /** Whether the queue delivered it before. */
  readonly isRedelivered?: boolean;
  /** Whether it is that of an attempt that is due later. */
  readonly isRetry?: boolean;
}

/** The messages that no worker has received, of both queues. */
export class TurnsQueue {
  readonly #deliveries: number;
  readonly #messages: QueuedMessage[] = [];
  /** Messages of attempts that are due later. The model has such a message as soon as its delivery is due or has ended. */
  readonly #later = new Set<QueuedMessage>();

  constructor(deliveries: number) {
    this.#deliveries = deliveries;
  }

  add(message: QueuedMessage): void {
    this.#messages.push(message);
    if (!message.isRetry) return;
    this.showRetry(message.delivery);
    this.#later.add(message);
  }

  remove(message: QueuedMessage): void {
    this.#messages.splice(this.#messages.indexOf(message), 1);
    this.#later.delete(message);
  }

  /** Counts the message of an attempt that was due later like any other. */
  showRetry(delivery: number): void {
    for (const one of this.#later) if (one.delivery === delivery) this.#later.delete(one);
  }

  get size(): number {
    return this.#messages.length;
  }

  /** Deliveries of the messages after the first ones. */
  deliveriesFrom = (first: number): number[] => this.#messages.slice(first).map(({ delivery }) => delivery);

  /** When the next message is due, epoch ms. */
  get nextMs(): number {
    return Math.min(...this.#messages.map(({ dueMs }) => dueMs));
  }

  /** @returns whether a state of the model has these messages, and no others unless `hasMore`. */
  compare(hasMore: boolean): (state: TurnsState) => boolean {
    const events = this.#count(true);
    const attempts = this.#count(false);
    const isSame = (found: number, real: number) => found === real || (hasMore && found > real);
    return (state) =>
      events.every((real, place) => state.events[place] === real) &&
      attempts.every((real, place) => isSame((state.messages[place] ?? 0) + (state.delayed[place] ?? 0), real));
  }

  #count(isEvent: boolean): number[] {
    const counts = Array<number>(this.#deliveries).fill(0);
    for (const one of this.#messages)
      if (one.isEvent === isEvent && !this.#later.has(one)) counts[one.delivery] = (counts[one.delivery] ?? 0) + 1;
    return counts;
  }
}
