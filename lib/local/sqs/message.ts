import type { MessageAttributes } from "./message-attributes.ts";
import type { MessageReceipt, MessageRow } from "./message-store.ts";
import { SqsError } from "./sqs-error.ts";

/** A message to send. `delayS` (0 to 900) overrides the queue's delay. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes?: MessageAttributes | undefined;
  readonly delayS?: number | undefined;
  /** Stored and passed on. All queues are standard queues, so it does not order messages. */
  readonly groupId?: string | undefined;
}

/** Receives `max` (1 to 10) messages, hides them for `visibilityTimeoutS`, and waits up to `waitS` for the first. */
export interface ReceiveOptions {
  readonly max: number;
  readonly visibilityTimeoutS?: number | undefined;
  readonly waitS?: number | undefined;
}

/** A received message. `systemAttributes` are the SQS attributes that SDKs and Lambda events contain. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly systemAttributes: Readonly<Record<string, string>>;
}

/** Sender account of local messages. */
const SENDER_ID = "000000000000";

/** Converts a stored message to the consumer's format. */
export function toReceivedMessage(row: MessageRow, receipt: string): ReceivedMessage {
  const systemAttributes: Record<string, string> = {
    SenderId: SENDER_ID,
    SentTimestamp: String(row.sent_at),
    ApproximateReceiveCount: String(row.receive_count),
    ApproximateFirstReceiveTimestamp: String(row.first_received_at),
  };
  if (row.group_id !== null) systemAttributes.MessageGroupId = row.group_id;
  if (row.dead_letter_source !== null) systemAttributes.DeadLetterQueueSourceArn = row.dead_letter_source;
  const attributes = JSON.parse(row.attributes) as MessageAttributes;
  return { messageId: row.id, receiptHandle: `${row.seq}.${receipt}`, body: row.body, attributes, systemAttributes };
}

/** Parses a receipt handle of {@link toReceivedMessage}. @throws SqsError */
export function parseReceiptHandle(receiptHandle: string): MessageReceipt {
  const match = /^(\d{1,15})\.([\da-f-]{36})$/.exec(receiptHandle);
  if (!match) throw new SqsError("ReceiptHandleIsInvalid", "The input receipt handle is invalid.");
  return { seq: Number(match[1]), receipt: match[2]! };
}
