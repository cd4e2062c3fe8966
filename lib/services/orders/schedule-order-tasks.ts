import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import { MAX_QUEUE_DELAY_MS } from "../../domain/shared/durations.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";

/**
 * Schedules order tasks, each at its exact time. Best effort: the sweeper schedules a task that is due later than a
 * message can wait, once it can, and starts any task whose message is lost.
 */
export async function scheduleOrderTasks(
  queue: Pick<Queue, "send">,
  work: readonly OrderTask[],
  log: Log,
): Promise<void> {
  for (const { team_id, order_id, due_at, work: what } of work) {
    const delayMs = Math.max(0, Date.parse(due_at) - ports().clock.now());
    if (delayMs > MAX_QUEUE_DELAY_MS) continue;
    const message = { team_id, order_id, kind: what.kind };
    await queue
      .send(message, { delayS: Math.ceil(delayMs / 1000) })
      .catch((error) => log.error("an order task waits for the sweeper", error));
  }
}
