import type { AttemptMessage } from "../events/delivery.ts";
import { LONGEST_QUEUE_DELAY_MS } from "../store/due-deliveries.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** Has a delivery looked at when it is due (epoch ms); beyond what a queue can delay it is left to the sweeper. */
export async function lookAt(queue: Pick<Queue, "send">, message: AttemptMessage, dueMs: number): Promise<void> {
  const delayMs = dueMs - ports().clock.now();
  if (delayMs > LONGEST_QUEUE_DELAY_MS) return;
  const delayS = Math.max(0, Math.ceil(delayMs / 1000));
  await queue.send({ ...message, probe: false }, { delayS });
}

/** Has several deliveries of one endpoint looked at at once, or so many seconds later. */
export async function lookAtAll(
  queue: Pick<Queue, "sendAll">,
  messages: readonly AttemptMessage[],
  delayS = 0,
): Promise<void> {
  await queue.sendAll(messages, { delayS });
}
