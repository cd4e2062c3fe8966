import * as z from "zod";
import {
  attributesMd5,
  attributesSize,
  md5,
  messageAttributesSchema,
  validateAttributes,
} from "./message-attributes.ts";
import type { QueueEngine } from "./queue-engine.ts";
import { runBatch, validateBatch } from "./run-batch.ts";
import { defineAction, validateRange } from "./sqs-action.ts";
import { SqsError } from "./sqs-error.ts";

/** Maximum size of a message, or of all messages of a batch, with attributes (SQS Quotas, since August 2025). */
export const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_DELAY_S = 900;

const messageFields = {
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().optional(),
  MessageAttributes: messageAttributesSchema.optional(),
  MessageGroupId: z.string().min(1).max(128).optional(),
};
const sendSchema = z.strictObject({ QueueUrl: z.string(), ...messageFields });
const sendBatchSchema = z.strictObject({
  QueueUrl: z.string(),
  Entries: z.array(z.strictObject({ Id: z.string(), ...messageFields })),
});
type MessageFields = Omit<z.output<typeof sendSchema>, "QueueUrl">;

/** Characters that SendMessage allows: those of XML 1.0. */
const allowedText = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

const sizeOf = (message: MessageFields): number =>
  Buffer.byteLength(message.MessageBody) + attributesSize(message.MessageAttributes ?? {});

function send(engine: QueueEngine, url: string, message: MessageFields): object {
  const { MessageBody: body, MessageAttributes: attributes = {}, DelaySeconds: delayS } = message;
  validateRange("DelaySeconds", delayS, 0, MAX_DELAY_S);
  validateAttributes(attributes);
  if (sizeOf(message) > MAX_MESSAGE_BYTES) {
    const reason = `Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`;
    throw new SqsError("InvalidParameterValue", `One or more parameters are invalid. Reason: ${reason}`);
  }
  if (!allowedText.test(body)) {
    throw new SqsError("InvalidMessageContents", "Invalid characters found in the message body.");
  }
  const MessageId = engine.send(url, { body, attributes, delayS, groupId: message.MessageGroupId });
  const hasAttributes = Object.keys(attributes).length > 0;
  const MD5OfMessageBody = md5(body);
  return { MessageId, MD5OfMessageBody, ...(hasAttributes && { MD5OfMessageAttributes: attributesMd5(attributes) }) };
}

/** SendMessage: stores a message and returns its id and digests. */
export const sendMessage = defineAction(sendSchema, (engine, { QueueUrl, ...message }) =>
  send(engine, QueueUrl, message),
);

/** SendMessageBatch: up to ten messages, each accepted or rejected separately. */
export const sendMessageBatch = defineAction(sendBatchSchema, (engine, { QueueUrl, Entries }) => {
  validateBatch(Entries);
  const bytes = Entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > MAX_MESSAGE_BYTES) {
    const limit = `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes.`;
    throw new SqsError("BatchRequestTooLong", `${limit} You have sent ${bytes} bytes.`);
  }
  return runBatch(Entries, (entry) => send(engine, QueueUrl, entry));
});
