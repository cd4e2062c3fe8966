import { type ConsumerContract, deadLetterVariable } from "../../contract/consumer.ts";
import type { PermanentError } from "../errors.ts";
import type { IncomingMessage } from "../incoming-message.ts";
import { Queue } from "./queue.ts";

/**
 * Moves a message that can never succeed to the dead-letter queue of its consumer, with the reason as an attribute. SQS
 * itself would do so after all receives only. @returns false if the move failed and the normal retries have to
 * continue.
 */
export async function moveToDeadLetters(
  contract: ConsumerContract,
  { deadLetter, log }: IncomingMessage,
  error: PermanentError,
) {
  const { body, messageId, groupId } = deadLetter;
  const attributes = { reason: error.message, message_id: messageId };
  try {
    await new Queue(deadLettersUrl(contract)).sendText(body, { attributes, groupId: groupId ?? messageId });
    return true;
  } catch (cause) {
    log.error("message not moved to the dead-letter queue", cause);
    return false;
  }
}

/** The wiring of a consumer sets where its dead letters are, so no grant names them. */
function deadLettersUrl(contract: ConsumerContract): string {
  const url = process.env[deadLetterVariable(contract)];
  if (!url) throw new Error(`the environment does not name the dead-letter queue of ${contract.operationId}`);
  return url;
}
