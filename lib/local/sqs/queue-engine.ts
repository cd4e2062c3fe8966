import { randomUUID } from "node:crypto";
import type { VirtualClock } from "../clock.ts";
import { AvailabilityNotifier } from "./availability-notifier.ts";
import {
  type OutgoingMessage,
  parseReceiptHandle,
  type ReceivedMessage,
  type ReceiveOptions,
  toReceivedMessage,
} from "./message.ts";
import { MessageStore, type QueueDepth, type QueueView } from "./message-store.ts";
import type { QueueDefinition } from "./queue-definition.ts";
import { selectReceivable } from "./select-receivable.ts";
import { SqsError } from "./sqs-error.ts";

interface Queue {
  readonly definition: QueueDefinition;
  readonly availability: AvailabilityNotifier;
}

/**
 * Standard SQS queues in one SQLite file. Delays, visibility timeouts, retention and dead-letter queues behave as in
 * SQS, on the virtual clock. Errors are {@link SqsError}.
 */
export class QueueEngine {
  readonly #clock: VirtualClock;
  readonly #store: MessageStore;
  readonly #queues = new Map<string, Queue>();
  #closed = false;

  /** @param path the database file, or ":memory:". */
  constructor(path: string, clock: VirtualClock) {
    this.#clock = clock;
    this.#store = new MessageStore(path);
    this.#store.releaseInFlight(clock.now());
  }

  /** Creates or updates a queue. It owns the messages stored under its ARN. Create dead-letter queues first. */
  createQueue(definition: QueueDefinition): void {
    const { arn, redrive } = definition;
    if (redrive && !this.#queues.has(redrive.deadLetterArn))
      throw new SqsError("QueueDoesNotExist", `The dead-letter queue ${redrive.deadLetterArn} does not exist.`);
    const availability = this.#queues.get(arn)?.availability ?? this.#availabilityOf(arn);
    this.#queues.set(arn, { definition, availability });
    this.#store.removeExpired(this.#moment(definition));
    availability.resetTimer();
  }

  queues(): QueueDefinition[] {
    return [...this.#queues.values()].map((queue) => queue.definition);
  }

  /** Stores a message and returns its id. Once this returns, the message survives a SIGKILL. */
  send(url: string, message: OutgoingMessage): string {
    const queue = this.#queueAt(url);
    const { body, attributes = {}, groupId = null, delayS = queue.definition.delayS } = message;
    const [id, now] = [randomUUID(), this.#clock.now()];
    const visibleAt = now + delayS * 1000;
    this.#store.insert({ id, queue: queue.definition.arn, body, attributes, groupId, now, visibleAt });
    this.#visibilityChanged(queue, visibleAt);
    return id;
  }

  /**
   * Receives up to `max` messages, longest visible first. When the queue is empty, waits up to `waitS` of real time,
   * because pollers live in real time, and returns at the first arrival.
   */
  async receive(url: string, options: ReceiveOptions): Promise<ReceivedMessage[]> {
    const deadline = performance.now() + (options.waitS ?? 0) * 1000;
    const queue = this.#queueAt(url);
    while (!this.#closed) {
      const messages = this.#take(queue, options);
      const remainingMs = deadline - performance.now();
      if (messages.length > 0 || remainingMs <= 0) return messages;
      await queue.availability.wait(remainingMs);
    }
    return [];
  }

  /**
   * Deletes a received message. No effect when it is already deleted or was received again. No effect after the engine
   * was closed: a function may end later, and its message returns after a restart.
   */
  delete(url: string, receiptHandle: string): void {
    if (this.#closed) return;
    const queue = this.#queueAt(url);
    this.#store.removeReceived(parseReceiptHandle(receiptHandle), queue.definition.arn);
    queue.availability.resetTimer();
  }

  /** Hides an in-flight message for `timeoutS` (0 to 43200) from now. 0 makes it visible at once. */
  changeVisibility(url: string, receiptHandle: string, timeoutS: number): void {
    const queue = this.#queueAt(url);
    const moment = this.#moment(queue.definition);
    const visibleAt = moment.now + timeoutS * 1000;
    if (!this.#store.changeVisibility(parseReceiptHandle(receiptHandle), visibleAt, moment))
      throw new SqsError("MessageNotInflight", "The message referred to isn't in flight.");
    this.#visibilityChanged(queue, visibleAt);
  }

  /** Makes the messages visible that their producer delayed, before their time. @returns their number. */
  endDelays(url: string): number {
    const { definition, availability } = this.#queueAt(url);
    const ended = this.#store.endDelays(this.#moment(definition));
    if (ended > 0) availability.notify();
    return ended;
  }

  /** Deletes every message of a queue, including in-flight messages. */
  purge(url: string): void {
    const queue = this.#queueAt(url);
    this.#store.removeAll(queue.definition.arn);
    queue.availability.resetTimer();
  }

  /** Whether a message is visible now. */
  hasVisible(url: string): boolean {
    return this.#store.hasVisible(this.#moment(this.#queueAt(url).definition));
  }

  /** Number of messages by state now, without expired messages. */
  depth(url: string): QueueDepth {
    return this.#store.depth(this.#moment(this.#queueAt(url).definition));
  }

  /**
   * Moves the visible messages of a dead-letter queue back to their source queues, or all to one destination. They
   * become new messages: new id, sent now, never received (Developer Guide, Dead-letter queue redrive).
   * @returns the number of moved messages.
   */
  redrive(deadLetterArn: string, destinationArn?: string): number {
    const sources = this.queues().filter(({ redrive }) => redrive?.deadLetterArn === deadLetterArn);
    const deadLetters = this.#queues.get(deadLetterArn);
    if (!deadLetters || sources.length === 0)
      throw new SqsError("ResourceNotFoundException", "The source queue is not the dead-letter queue of any queue.");
    let moved = 0;
    for (const destination of destinationArn ? [destinationArn] : sources.map(({ arn }) => arn)) {
      const ends = { source: destinationArn ? null : destination, destination };
      moved += this.#store.redrive(this.#moment(deadLetters.definition), ends);
      this.#queues.get(destination)?.availability.notify();
    }
    return moved;
  }

  /** The earliest instant (epoch ms) at which a hidden message becomes visible. */
  nextDueAt(url: string): number | undefined {
    return this.#store.nextVisibleAt(this.#moment(this.#queueAt(url).definition));
  }

  /**
   * Calls `listener` soon after messages become visible, once for many messages. The listener must receive until the
   * queue is empty: it is not called again for remaining messages. @returns a function that removes the listener.
   */
  onAvailable(url: string, listener: () => void): () => void {
    return this.#queueAt(url).availability.listen(listener);
  }

  /** Ends every waiting receive with an empty result, removes the listeners and closes the file. */
  close(): void {
    this.#closed = true;
    for (const queue of this.#queues.values()) queue.availability.close();
    this.#store.close();
  }

  #availabilityOf(arn: string): AvailabilityNotifier {
    const momentAt = (now: number) => this.#moment(this.#queues.get(arn)!.definition, now);
    return new AvailabilityNotifier(this.#clock, {
      hasVisible: (now) => this.#store.hasVisible(momentAt(now)),
      nextVisibleAt: (now) => this.#store.nextVisibleAt(momentAt(now)),
    });
  }

  #queueAt(url: string): Queue {
    for (const queue of this.#queues.values()) if (queue.definition.url === url) return queue;
    throw new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
  }

  #moment({ arn, retentionS }: QueueDefinition, now = this.#clock.now()): QueueView {
    return { queue: arn, now, retentionMs: retentionS * 1000 };
  }

  #visibilityChanged({ availability }: Queue, visibleAt: number): void {
    availability.resetTimer();
    if (visibleAt <= this.#clock.now()) availability.notify();
  }

  #take(queue: Queue, { max, visibilityTimeoutS }: ReceiveOptions): ReceivedMessage[] {
    const moment = this.#moment(queue.definition);
    const visibleAt = moment.now + (visibilityTimeoutS ?? queue.definition.visibilityTimeoutS) * 1000;
    const notify = (arn: string) => this.#queues.get(arn)?.availability.notify();
    const received = this.#store.runInTransaction(() =>
      selectReceivable(this.#store, queue.definition, moment, max, notify).map(({ seq }) => {
        const receipt = randomUUID();
        return toReceivedMessage(this.#store.receive({ seq, receipt }, visibleAt, moment.now), receipt);
      }),
    );
    if (received.length > 0) this.#visibilityChanged(queue, visibleAt);
    return received;
  }
}
