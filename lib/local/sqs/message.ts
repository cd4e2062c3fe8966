import type { MessageAttributes } from "./message-attributes.ts";
import type { Held, MessageRow } from "./message-store.ts";
import { SqsError } from "./sqs-error.ts";

/** What a producer hands in; `delayS` 0 to 900 instead of the queue's own delay. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes?: MessageAttributes | undefined;
  readonly delayS?: number | undefined;
  /** Kept and handed on; queues are standard ones, so it orders nothing. */
  readonly groupId?: string | undefined;
}

/** How to receive: `max` 1 to 10 messages, hidden for `visibilityTimeoutS`, waiting up to `waitS` for the first. */
export interface ReceiveOptions {
  readonly max: number;
  readonly visibilityTimeoutS?: number | undefined;
  readonly waitS?: number | undefined;
}

/** What a consumer gets; `systemAttributes` are SQS's own, as SDKs and Lambda events show them. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly systemAttributes: Readonly<Record<string, string>>;
}

/** The account in whose name local messages are sent. */
const SENDER_ID = "000000000000";

/** A stored message as its consumer sees it. */
export function toReceived(row: MessageRow, receipt: string): ReceivedMessage {
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

/** What a receipt handle of {@link toReceived} stands for. */
export function toHeld(receiptHandle: string): Held {
  const match = /^(\d{1,15})\.([\da-f-]{36})$/.exec(receiptHandle);
  if (!match) throw new SqsError("ReceiptHandleIsInvalid", "The input receipt handle is invalid.");
  return { seq: Number(match[1]), receipt: match[2]! };
}
