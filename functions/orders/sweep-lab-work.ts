import * as z from "zod";
import { query, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderWork } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { startWork } from "../../lib/runtime/starting-work.ts";

/** Schedules each due order task whose queue message was lost, so that no task is lost. */
export const contract = consumer({
  operationId: "sweepLabWork",
  tag: "orders",
  summary: "Start due order tasks",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [query(orderWork, "due"), send(labWork)],
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, { orderWork, labWork }) => {
  const { due, nextDueAt } = await orderWork.due(ports().clock.now());
  await startWork(labWork, due, log);
  return { next_due_at: nextDueAt ?? null };
});
