import type { ConsumerContract } from "../contract/consumer.ts";
import type { PermanentError } from "./errors.ts";
import type { Incoming } from "./incoming.ts";

/**
 * Sends a message that can never succeed to the dead letters of its consumer, with the reason beside it: SQS itself
 * would do so only after all tries. @returns whether it lies there; if not, the message has to be tried the ordinary way.
 */
export async function bury(contract: ConsumerContract, { letter, log }: Incoming, error: PermanentError) {
  const { body, messageId, groupId } = letter;
  const attributes = { reason: error.message, message_id: messageId };
  try {
    const { make } = await import("./uses/dead-letters.ts");
    await make(contract).sendText(body, { attributes, groupId: groupId ?? messageId });
    return true;
  } catch (cause) {
    log.error("message not put among the dead letters", cause);
    return false;
  }
}
