import * as z from "zod";
import { queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { queryRuns } from "../../lib/contract/queues.ts";
import { queryTasks } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { scheduleQueryTask } from "../../lib/services/queries/continuous/mark-changed-days.ts";

/** Starts each due task of a continuous query whose queue message was lost, so that no task is lost. */
export const contract = consumer({
  operationId: "sweepContinuousQueries",
  tag: "aggregation",
  summary: "Start due tasks of continuous queries",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [queryItems(queryTasks, "due"), sendMessage(queryRuns)],
  timeoutS: 55,
});

export const handler = consume(contract, async ({ log }, { queryTasks, queryRuns }) => {
  const { due, nextDueAt } = await queryTasks.listDue(ports().clock.now());
  for (const task of due) await scheduleQueryTask(queryRuns, task, log);
  return { next_due_at: nextDueAt ?? null };
});
