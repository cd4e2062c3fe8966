import {
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { oncePerContainer } from "../container.ts";
import { currentTraceparent } from "../span.ts";

/** A message of a team. The team id is the message group, so one busy team does not delay others (SQS fair queues). */
export interface TeamMessage {
  readonly team_id: string;
  /** The trace of the message. By default that of its sender. */
  readonly traceparent?: string | undefined;
}

/** Delivery options of a message. */
export interface SendOptions {
  /** 0 to 900 seconds. */
  readonly delayS?: number;
}

/** Parameters of a message besides its body. */
interface Envelope extends SendOptions {
  readonly groupId: string;
  readonly traceparent?: string | undefined;
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
    await this.sendText(JSON.stringify(message), { ...options, ...originOf(message) });
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
        ...entry(JSON.stringify(message), { ...options, ...originOf(message) }),
      }));
      const answer = await Queue.#sqs().send(new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }));
      if (answer.Failed?.length) throw new Error(`the queue refused ${answer.Failed.length} messages`);
    }
  }
}

const originOf = ({ team_id, traceparent }: TeamMessage) => ({ groupId: team_id, traceparent });

function entry(body: string, { delayS, groupId, attributes, traceparent = currentTraceparent() }: Envelope) {
  const all = { ...attributes, ...(traceparent === undefined ? {} : { traceparent }) };
  return {
    MessageBody: body,
    MessageGroupId: groupId,
    ...(delayS === undefined ? {} : { DelaySeconds: delayS }),
    ...(Object.keys(all).length === 0 ? {} : { MessageAttributes: texts(all) }),
  };
}

function texts(
  attributes: Readonly<Record<string, string>>,
): NonNullable<SendMessageCommandInput["MessageAttributes"]> {
  const entries = Object.entries(attributes);
  return Object.fromEntries(entries.map(([name, value]) => [name, { DataType: "String", StringValue: value }]));
}
