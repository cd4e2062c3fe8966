import type { ConsumerContract } from "../contract/consumer.ts";
import type { PermanentError } from "./errors.ts";
import type { Incoming } from "./incoming.ts";

/**
 * Moves a message that can never succeed to the dead-letter queue of its consumer, with the reason as an attribute. SQS
 * itself would do so after all receives only. @returns false if the move failed and the normal retries have to
 * continue.
 */
export async function bury(contract: ConsumerContract, { letter, log }: Incoming, error: PermanentError) {
  const { body, messageId, groupId } = letter;
  const attributes = { reason: error.message, message_id: messageId };
  try {
    const { make } = await import("./uses/dead-letters.ts");
    await make(contract).sendText(body, { attributes, groupId: groupId ?? messageId });
    return true;
  } catch (cause) {
    log.error("message not moved to the dead-letter queue", cause);
    return false;
  }
}
