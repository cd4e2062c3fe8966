import type { AttemptMessage } from "../events/delivery.ts";
import { LONGEST_QUEUE_DELAY_MS } from "../store/due-deliveries.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** Enqueues an attempt for `dueMs` (epoch ms). The sweeper enqueues what is due after the longest queue delay. */
export async function lookAt(queue: Pick<Queue, "send">, message: AttemptMessage, dueMs: number): Promise<void> {
  const delayMs = dueMs - ports().clock.now();
  if (delayMs > LONGEST_QUEUE_DELAY_MS) return;
  const delayS = Math.max(0, Math.ceil(delayMs / 1000));
  await queue.send({ ...message, probe: false }, { delayS });
}

/** Enqueues attempts at several deliveries of one endpoint, now or after `delayS` seconds. */
export async function lookAtAll(
  queue: Pick<Queue, "sendAll">,
  messages: readonly AttemptMessage[],
  delayS = 0,
): Promise<void> {
  await queue.sendAll(messages, { delayS });
}
