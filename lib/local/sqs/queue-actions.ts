import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { QueueDepth } from "./message-store.ts";
import type { QueueDefinition } from "./queue-definition.ts";
import type { QueueEngine } from "./queue-engine.ts";
import { MAX_MESSAGE_BYTES } from "./send-actions.ts";
import { defineAction } from "./sqs-action.ts";
import { SqsError } from "./sqs-error.ts";

function requireQueue(engine: QueueEngine, isMeant: (queue: QueueDefinition) => boolean): QueueDefinition {
  const queue = engine.queues().find(isMeant);
  if (!queue) throw new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
  return queue;
}

/** GetQueueUrl: the URL of a queue by name. */
export const getQueueUrl = defineAction(
  z.strictObject({ QueueName: z.string(), QueueOwnerAWSAccountId: z.string().optional() }),
  (engine, { QueueName }) => ({ QueueUrl: requireQueue(engine, (queue) => queue.name === QueueName).url }),
);

/** ListQueues: the URLs of all queues, optionally by name prefix. */
export const listQueues = defineAction(
  z.strictObject({ QueueNamePrefix: z.string().default("") }),
  (engine, request) => {
    const queues = engine.queues().filter((queue) => queue.name.startsWith(request.QueueNamePrefix));
    return queues.length > 0 ? { QueueUrls: queues.map((queue) => queue.url) } : {};
  },
);

/** The attributes of a queue. Undefined values are attributes that the queue does not have. */
const listAttributes = (
  { redrive, ...queue }: QueueDefinition,
  depth: QueueDepth,
): Record<string, string | undefined> => ({
  QueueArn: queue.arn,
  ApproximateNumberOfMessages: String(depth.visible),
  ApproximateNumberOfMessagesDelayed: String(depth.delayed),
  ApproximateNumberOfMessagesNotVisible: String(depth.inFlight),
  VisibilityTimeout: String(queue.visibilityTimeoutS),
  DelaySeconds: String(queue.delayS),
  MessageRetentionPeriod: String(queue.retentionS),
  MaximumMessageSize: String(MAX_MESSAGE_BYTES),
  ReceiveMessageWaitTimeSeconds: "0",
  RedrivePolicy:
    redrive && JSON.stringify({ deadLetterTargetArn: redrive.deadLetterArn, maxReceiveCount: redrive.maxReceiveCount }),
});

/** GetQueueAttributes: settings and depth, by name or All. */
export const getQueueAttributes = defineAction(
  z.strictObject({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).default([]) }),
  (engine, { QueueUrl, AttributeNames }) => {
    const queue = requireQueue(engine, ({ url }) => url === QueueUrl);
    const all = listAttributes(queue, engine.depth(QueueUrl));
    const unknown = AttributeNames.find((name) => name !== "All" && !Object.hasOwn(all, name));
    if (unknown !== undefined) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${unknown}.`);
    const isWanted = (name: string) => AttributeNames.includes("All") || AttributeNames.includes(name);
    const wanted = Object.entries(all).filter(([name, value]) => value !== undefined && isWanted(name));
    return wanted.length > 0 ? { Attributes: Object.fromEntries(wanted) } : {};
  },
);

/** PurgeQueue: deletes every message of a queue. */
export const purgeQueue = defineAction(z.strictObject({ QueueUrl: z.string() }), (engine, { QueueUrl }) => {
  engine.purge(QueueUrl);
  return {};
});

/**
 * StartMessageMoveTask: redrives a dead-letter queue. The move is complete when the action returns, so the handle only
 * completes the response.
 */
export const startMessageMoveTask = defineAction(
  z.strictObject({ SourceArn: z.string(), DestinationArn: z.string().optional() }),
  (engine, { SourceArn, DestinationArn }) => {
    if (DestinationArn !== undefined) requireQueue(engine, ({ arn }) => arn === DestinationArn);
    engine.redrive(SourceArn, DestinationArn);
    return { TaskHandle: randomUUID() };
  },
);
