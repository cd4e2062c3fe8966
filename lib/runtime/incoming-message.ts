import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import { PermanentError } from "./errors.ts";
import { Log } from "./log.ts";
import { Span } from "./span.ts";

/** The dead letter of a message. Like the message itself it carries ids only. */
interface DeadLetter {
  readonly body: string;
  /** The id that all log lines of the message carry. */
  readonly messageId: string;
  readonly groupId?: string | undefined;
}

/** A queue message, or a new item of a stream, before a consumer processes it. */
export interface IncomingMessage {
  readonly log: Log;
  /** The span of the message in the trace of its sender. */
  readonly span: Span;
  readonly deadLetter: DeadLetter;
  /** When the message entered its queue, epoch ms; undefined for a stream. */
  readonly sentMs: number | undefined;
  /** Whether the queue delivered the message before; always false for a stream. */
  readonly isRedelivered: boolean;
  /** Parses the content for the consumer's schema. @throws PermanentError if the content is not JSON. */
  readonly read: () => unknown;
}

/** A message of the bus has no attributes, so the reference of an event names its trace itself. */
const TRACEPARENT_IN_BODY = /"traceparent":"([^"]*)"/;

/** Wraps a queue message. */
export function fromQueueRecord(operation: string, record: SQSRecord): IncomingMessage {
  const { messageId, body, messageAttributes } = record;
  const span = new Span(messageAttributes?.traceparent?.stringValue ?? TRACEPARENT_IN_BODY.exec(body)?.[1]);
  const { MessageGroupId: groupId, ApproximateReceiveCount: receives, SentTimestamp: sent } = record.attributes;
  return {
    log: new Log({ operation, message_id: messageId, trace_id: span.context.traceId }),
    span,
    deadLetter: { body, messageId, groupId },
    sentMs: sent === undefined ? undefined : Number(sent),
    isRedelivered: Number(receives) > 1,
    read: () => {
      try {
        return JSON.parse(body);
      } catch (cause) {
        throw new PermanentError("the message is not JSON", { cause });
      }
    },
  };
}

/** Wraps a new stream item: its strings and numbers. Its dead letter has the keys only, because the rest is data. */
export function fromStreamRecord(
  operation: string,
  { eventID: messageId = "", dynamodb = {} }: DynamoDBRecord,
): IncomingMessage {
  const span = new Span(dynamodb.NewImage?.traceparent?.S);
  return {
    log: new Log({ operation, event_id: messageId, trace_id: span.context.traceId }),
    span,
    deadLetter: { body: JSON.stringify(toPlainObject(dynamodb.Keys)), messageId },
    sentMs: undefined,
    isRedelivered: false,
    read: () => toPlainObject(dynamodb.NewImage),
  };
}

function toPlainObject(image: NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(image).map(([name, value]) => [name, value.S ?? (value.N ? Number(value.N) : undefined)]),
  );
}
