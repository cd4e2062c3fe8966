import * as z from "zod";
import { queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { labWork } from "../../lib/contract/queues.ts";
import { orderWork } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { scheduleOrderTasks } from "../../lib/services/orders/schedule-order-tasks.ts";

/** Schedules order tasks that are due soon, and each due one whose queue message was lost, so that no task is lost or late. */
export const contract = consumer({
  operationId: "sweepLabWork",
  tag: "orders",
  summary: "Start due order tasks",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [queryItems(orderWork, "due"), sendMessage(labWork)],
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, { orderWork, labWork }) => {
  const { due, nextDueAt } = await orderWork.listDue(ports().clock.now());
  await scheduleOrderTasks(labWork, due, log);
  return { next_due_at: nextDueAt ?? null };
});
