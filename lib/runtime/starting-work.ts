import type { OrderWork } from "../domain/orders/order-work.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";

/** The longest delay of a queue message; what is due later is left to the sweeper. */
const LONGEST_DELAY_MS = 900_000;

/** Has work on orders started when it is due. Speed only: what gets lost, the sweeper starts. */
export async function startWork(queue: Pick<Queue, "send">, work: readonly OrderWork[], log: Log): Promise<void> {
  for (const { team_id, order_id, due_at, work: what } of work) {
    const delayMs = Math.max(0, Date.parse(due_at) - ports().clock.now());
    if (delayMs > LONGEST_DELAY_MS) continue;
    const message = { team_id, order_id, kind: what.kind };
    await queue
      .send(message, { delayS: Math.ceil(delayMs / 1000) })
      .catch((error) => log.error("work on an order waits for the sweeper", error));
  }
}
