import * as z from "zod";
import type { ReceivedMessage } from "./message.ts";
import { attributesMd5, md5, selectAttributes } from "./message-attributes.ts";
import type { QueueEngine } from "./queue-engine.ts";
import { runBatch, validateBatch } from "./run-batch.ts";
import { defineAction, validateRange } from "./sqs-action.ts";

const MAX_MESSAGES = 10;
const MAX_WAIT_S = 20;
const MAX_VISIBILITY_TIMEOUT_S = 43_200;

const receiveSchema = z.strictObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.number().default(1),
  VisibilityTimeout: z.number().optional(),
  WaitTimeSeconds: z.number().optional(),
  /** Former name of MessageSystemAttributeNames. */
  AttributeNames: z.array(z.string()).default([]),
  MessageSystemAttributeNames: z.array(z.string()).default([]),
  MessageAttributeNames: z.array(z.string()).default([]),
});

function toWire(message: ReceivedMessage, systemNames: readonly string[], attributeNames: readonly string[]): object {
  const isWanted = (name: string) => systemNames.includes("All") || systemNames.includes(name);
  const system = Object.entries(message.systemAttributes).filter(([name]) => isWanted(name));
  const attributes = selectAttributes(message.attributes, attributeNames);
  const hasAttributes = Object.keys(attributes).length > 0;
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    // The digest covers only the returned attributes.
    ...(hasAttributes && { MessageAttributes: attributes, MD5OfMessageAttributes: attributesMd5(attributes) }),
  };
}

/** ReceiveMessage: short or long poll. As in SQS, an empty response has no Messages. */
export const receiveMessage = defineAction(receiveSchema, async (engine, request) => {
  const { MaxNumberOfMessages: max, VisibilityTimeout: visibilityTimeoutS, WaitTimeSeconds: waitS } = request;
  validateRange("MaxNumberOfMessages", max, 1, MAX_MESSAGES);
  validateRange("VisibilityTimeout", visibilityTimeoutS, 0, MAX_VISIBILITY_TIMEOUT_S);
  validateRange("WaitTimeSeconds", waitS, 0, MAX_WAIT_S);
  const messages = await engine.receive(request.QueueUrl, { max, visibilityTimeoutS, waitS });
  if (messages.length === 0) return {};
  const systemNames = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
  return { Messages: messages.map((message) => toWire(message, systemNames, request.MessageAttributeNames)) };
});

const handleFields = { ReceiptHandle: z.string() };
const visibilityFields = { ...handleFields, VisibilityTimeout: z.number() };
type VisibilityFields = { ReceiptHandle: string; VisibilityTimeout: number };

function remove(engine: QueueEngine, url: string, receiptHandle: string): object {
  engine.delete(url, receiptHandle);
  return {};
}

function changeVisibility(engine: QueueEngine, url: string, fields: VisibilityFields): object {
  validateRange("VisibilityTimeout", fields.VisibilityTimeout, 0, MAX_VISIBILITY_TIMEOUT_S);
  engine.changeVisibility(url, fields.ReceiptHandle, fields.VisibilityTimeout);
  return {};
}

/** DeleteMessage: succeeds also for a deleted message. */
export const deleteMessage = defineAction(
  z.strictObject({ QueueUrl: z.string(), ...handleFields }),
  (engine, { QueueUrl, ReceiptHandle }) => remove(engine, QueueUrl, ReceiptHandle),
);

/** DeleteMessageBatch: up to ten deletions. */
export const deleteMessageBatch = defineAction(
  z.strictObject({ QueueUrl: z.string(), Entries: z.array(z.strictObject({ Id: z.string(), ...handleFields })) }),
  (engine, { QueueUrl, Entries }) => {
    validateBatch(Entries);
    return runBatch(Entries, (entry) => remove(engine, QueueUrl, entry.ReceiptHandle));
  },
);

/** ChangeMessageVisibility: extends or ends the visibility timeout of an in-flight message. */
export const changeMessageVisibility = defineAction(
  z.strictObject({ QueueUrl: z.string(), ...visibilityFields }),
  (engine, { QueueUrl, ...fields }) => changeVisibility(engine, QueueUrl, fields),
);

/** ChangeMessageVisibilityBatch: up to ten visibility changes. */
export const changeMessageVisibilityBatch = defineAction(
  z.strictObject({ QueueUrl: z.string(), Entries: z.array(z.strictObject({ Id: z.string(), ...visibilityFields })) }),
  (engine, { QueueUrl, Entries }) => {
    validateBatch(Entries);
    return runBatch(Entries, (entry) => changeVisibility(engine, QueueUrl, entry));
  },
);
