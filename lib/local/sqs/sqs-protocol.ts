import { getQueueAttributes, getQueueUrl, listQueues, purgeQueue, startMessageMoveTask } from "./queue-actions.ts";
import type { QueueEngine } from "./queue-engine.ts";
import {
  changeMessageVisibility,
  changeMessageVisibilityBatch,
  deleteMessage,
  deleteMessageBatch,
  receiveMessage,
} from "./receive-actions.ts";
import { sendMessage, sendMessageBatch } from "./send-actions.ts";
import type { SqsAction } from "./sqs-action.ts";
import { SqsError } from "./sqs-error.ts";

const actions = new Map<string, SqsAction>(
  Object.entries({
    SendMessage: sendMessage,
    SendMessageBatch: sendMessageBatch,
    ReceiveMessage: receiveMessage,
    DeleteMessage: deleteMessage,
    DeleteMessageBatch: deleteMessageBatch,
    ChangeMessageVisibility: changeMessageVisibility,
    ChangeMessageVisibilityBatch: changeMessageVisibilityBatch,
    GetQueueUrl: getQueueUrl,
    GetQueueAttributes: getQueueAttributes,
    ListQueues: listQueues,
    PurgeQueue: purgeQueue,
    StartMessageMoveTask: startMessageMoveTask,
  }),
);

/**
 * Handles one request of the AWS JSON 1.0 protocol.
 * @param action the part of X-Amz-Target after "AmazonSQS.".
 * @param request the parsed body.
 * @returns the response body. @throws SqsError, which carries its HTTP response.
 */
export async function handleSqs(engine: QueueEngine, action: string, request: unknown): Promise<object> {
  const run = actions.get(action);
  if (!run) throw new SqsError("UnknownOperation", `The local SQS does not support the operation ${action}.`);
  return run(engine, request);
}
