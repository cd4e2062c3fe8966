import { MAX_QUEUE_DELAY_MS } from "../../domain/shared/durations.ts";
import type { AttemptMessage } from "../../events/webhooks/delivery.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import { ports } from "../../runtime/ports.ts";

/** Enqueues an attempt for `dueMs` (epoch ms). The sweeper enqueues what is due after the longest queue delay. */
export async function enqueueAttempt(
  queue: Pick<Queue, "send">,
  message: AttemptMessage,
  dueMs: number,
): Promise<void> {
  const delayMs = dueMs - ports().clock.now();
  if (delayMs > MAX_QUEUE_DELAY_MS) return;
  const delayS = Math.max(0, Math.ceil(delayMs / 1000));
  await queue.send({ ...message, probe: false }, { delayS });
}

/** Enqueues attempts at several deliveries of one endpoint, now or after `delayS` seconds. */
export async function enqueueAttempts(
  queue: Pick<Queue, "sendAll">,
  messages: readonly AttemptMessage[],
  delayS = 0,
): Promise<void> {
  await queue.sendAll(messages, { delayS });
}
