import type { OrderWork } from "../domain/orders/order-work.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** Maximum delay of an SQS message. The sweeper starts tasks that are due later. */
const LONGEST_DELAY_MS = 900_000;

/** Schedules order tasks. Best effort: the sweeper starts any task whose message is lost. */
export async function startWork(queue: Pick<Queue, "send">, work: readonly OrderWork[], log: Log): Promise<void> {
  for (const { team_id, order_id, due_at, work: what } of work) {
    const delayMs = Math.max(0, Date.parse(due_at) - ports().clock.now());
    if (delayMs > LONGEST_DELAY_MS) continue;
    const message = { team_id, order_id, kind: what.kind };
    await queue
      .send(message, { delayS: Math.ceil(delayMs / 1000) })
      .catch((error) => log.error("an order task waits for the sweeper", error));
  }
}
