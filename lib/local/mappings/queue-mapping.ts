import type { FunctionHost } from "../functions/function-host.ts";
import type { ReceivedMessage } from "../sqs/message.ts";
import { md5 } from "../sqs/message-attributes.ts";
import type { QueueEngine } from "../sqs/queue-engine.ts";

/** An event source mapping from a queue to a function. */
export interface QueueMappingOptions {
  readonly queues: QueueEngine;
  readonly host: FunctionHost;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  /** Batches that may be under way at the same time, if the mapping says so. */
  readonly maxConcurrency?: number;
  readonly region: string;
}

/** Batches of one mapping that one machine has under way at the same time, however many it may have. */
const PARALLEL_BATCHES = 4;

/**
 * Feeds a function with the messages of a queue, as Lambda does: what the function does not report as failed is deleted,
 * the rest (or all, when it throws) comes back after the visibility timeout.
 */
export class QueueMapping {
  readonly #options: QueueMappingOptions;
  readonly #stopListening: () => void;
  #running = 0;
  #isStopped = false;
  /** Something came while as many batches as there may be were under way, or about to end. */
  #hasMore = false;

  constructor(options: QueueMappingOptions) {
    this.#options = options;
    this.#stopListening = options.queues.onAvailable(options.queueUrl, () => this.#fill());
    this.#fill();
  }

  /** Whether a batch is under way. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
  }

  #fill(): void {
    if (this.#running >= Math.min(this.#options.maxConcurrency ?? PARALLEL_BATCHES, PARALLEL_BATCHES)) {
      this.#hasMore = true;
      return;
    }
    this.#running++;
    this.#drain().finally(() => {
      this.#running--;
      if (this.#hasMore && !this.#isStopped) this.#fill();
    });
  }

  /** Takes batch after batch until the queue has none left; whoever finds one lets another one look beside it. */
  async #drain(): Promise<void> {
    const { queues, queueUrl, batchSize } = this.#options;
    while (!this.#isStopped) {
      this.#hasMore = false;
      const messages = await queues.receive(queueUrl, { max: Math.min(batchSize, 10) });
      if (messages.length > 0) {
        this.#fill();
        await this.#process(messages);
      } else if (!this.#hasMore) return;
    }
  }

  async #process(messages: readonly ReceivedMessage[]): Promise<void> {
    const { queues, host, queueUrl, functionArn } = this.#options;
    const answer = await host.invoke(functionArn, { Records: messages.map((message) => this.#record(message)) }).then(
      (result) => failedIds(result),
      () => undefined,
    );
    if (answer === undefined) return;
    for (const { messageId, receiptHandle } of messages) {
      if (!answer.has(messageId)) queues.delete(queueUrl, receiptHandle);
    }
  }

  #record({ messageId, receiptHandle, body, systemAttributes }: ReceivedMessage) {
    return {
      messageId,
      receiptHandle,
      body,
      attributes: systemAttributes,
      messageAttributes: {},
      md5OfBody: md5(body),
      eventSource: "aws:sqs",
      eventSourceARN: this.#options.queueArn,
      awsRegion: this.#options.region,
    };
  }
}

/** The ids in `batchItemFailures`; an answer without it means that all went well. */
export function failedIds(result: unknown): Set<string> {
  const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: { itemIdentifier: string }[] };
  return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
}
