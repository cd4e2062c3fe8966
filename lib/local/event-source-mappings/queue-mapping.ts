import type { FunctionHost } from "../functions/function-host.ts";
import type { ReceivedMessage } from "../sqs/message.ts";
import { type MessageAttributes, md5 } from "../sqs/message-attributes.ts";
import type { QueueEngine } from "../sqs/queue-engine.ts";

/** An event source mapping from a queue to a function. */
export interface QueueMappingOptions {
  readonly queues: QueueEngine;
  readonly host: FunctionHost;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  /** Maximum concurrency of the mapping, if set. */
  readonly maxConcurrency?: number;
  readonly region: string;
}

/** Maximum number of concurrent batches of one mapping on this machine. */
const MAX_PARALLEL_BATCHES = 4;

/**
 * Invokes a function with the messages of a queue, as Lambda does. It deletes the messages that the function does not
 * report as failed. The others, or all when the function throws, return after the visibility timeout.
 */
export class QueueMapping {
  readonly #options: QueueMappingOptions;
  readonly #stopListening: () => void;
  #running = 0;
  #isStopped = false;
  /** Whether messages arrived while the maximum number of batches was in progress. */
  #hasMore = false;

  constructor(options: QueueMappingOptions) {
    this.#options = options;
    this.#stopListening = options.queues.onAvailable(options.queueUrl, () => this.#fill());
    this.#fill();
  }

  /** Whether a batch is in progress. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
  }

  #fill(): void {
    if (this.#running >= Math.min(this.#options.maxConcurrency ?? MAX_PARALLEL_BATCHES, MAX_PARALLEL_BATCHES)) {
      this.#hasMore = true;
      return;
    }
    this.#running++;
    this.#drain().finally(() => {
      this.#running--;
      if (this.#hasMore && !this.#isStopped) this.#fill();
    });
  }

  /** Processes batches until the queue is empty. Each batch that finds messages starts another poller. */
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
      (result) => parseBatchItemFailures(result),
      () => undefined,
    );
    if (answer === undefined) return;
    for (const { messageId, receiptHandle } of messages) {
      if (!answer.has(messageId)) queues.delete(queueUrl, receiptHandle);
    }
  }

  #record({ messageId, receiptHandle, body, attributes, systemAttributes }: ReceivedMessage) {
    return {
      messageId,
      receiptHandle,
      body,
      attributes: systemAttributes,
      messageAttributes: toEventAttributes(attributes),
      md5OfBody: md5(body),
      eventSource: "aws:sqs",
      eventSourceARN: this.#options.queueArn,
      awsRegion: this.#options.region,
    };
  }
}

/** The attributes of a message in the event of a function (Lambda Developer Guide, "Using Lambda with Amazon SQS"). */
const toEventAttributes = (attributes: MessageAttributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        stringValue: StringValue,
        binaryValue: BinaryValue,
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );

/** The ids in `batchItemFailures` of a function's result. Empty when all items succeeded. */
export function parseBatchItemFailures(result: unknown): Set<string> {
  const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: { itemIdentifier: string }[] };
  return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
}
