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
 * Answers one request of the AWS JSON 1.0 protocol: `action` is what follows "AmazonSQS." in X-Amz-Target, `request`
 * the parsed body, the result the response's body. Refusals are {@link SqsError}, which carries its HTTP answer.
 */
export async function handleSqs(engine: QueueEngine, action: string, request: unknown): Promise<object> {
  const run = actions.get(action);
  if (!run) throw new SqsError("UnknownOperation", `The local SQS does not know the operation ${action}.`);
  return run(engine, request);
}
