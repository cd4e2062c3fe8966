import {
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { oncePerContainer } from "../container.ts";

/** A message of a team. The team id is the message group, so one busy team does not delay others (SQS fair queues). */
export interface TeamMessage {
  readonly team_id: string;
}

/** Delivery options of a message. */
export interface SendOptions {
  /** 0 to 900 seconds. */
  readonly delayS?: number;
}

/** Parameters of a message besides its body. */
interface Envelope extends SendOptions {
  readonly groupId: string;
  /** String attributes of the message. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** An SQS queue of JSON messages. */
export class Queue {
  static readonly #sqs = oncePerContainer(() => new SQSClient({}));
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async send<M extends TeamMessage>(message: M, options: SendOptions = {}): Promise<void> {
    await this.sendText(JSON.stringify(message), { ...options, groupId: message.team_id });
  }

  /** Sends a raw body. */
  async sendText(body: string, envelope: Envelope): Promise<void> {
    await Queue.#sqs().send(new SendMessageCommand({ QueueUrl: this.#url, ...entry(body, envelope) }));
  }

  /** Sends any number of messages, ten per request. @throws Error if the queue rejects one of them. */
  async sendAll(messages: readonly TeamMessage[], options: SendOptions = {}): Promise<void> {
    for (let first = 0; first < messages.length; first += 10) {
      const slice = messages.slice(first, first + 10);
      const Entries = slice.map((message, index) => ({
        Id: String(index),
        ...entry(JSON.stringify(message), { ...options, groupId: message.team_id }),
      }));
      const answer = await Queue.#sqs().send(new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }));
      if (answer.Failed?.length) throw new Error(`the queue refused ${answer.Failed.length} messages`);
    }
  }
}

function entry(body: string, { delayS, groupId, attributes }: Envelope) {
  return {
    MessageBody: body,
    MessageGroupId: groupId,
    ...(delayS === undefined ? {} : { DelaySeconds: delayS }),
    ...(attributes === undefined ? {} : { MessageAttributes: texts(attributes) }),
  };
}

function texts(
  attributes: Readonly<Record<string, string>>,
): NonNullable<SendMessageCommandInput["MessageAttributes"]> {
  const entries = Object.entries(attributes);
  return Object.fromEntries(entries.map(([name, value]) => [name, { DataType: "String", StringValue: value }]));
}
