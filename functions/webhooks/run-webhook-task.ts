import { getItem, grants } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookTaskSteps } from "../../lib/contract/queues.ts";
import { webhookTasks } from "../../lib/contract/resources.ts";
import { webhookTaskReference } from "../../lib/events/webhooks/webhook-task.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { runWebhookTaskAccess, runWebhookTaskStep } from "../../lib/services/webhooks/webhook-tasks.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs one step of a recover or replay task of an endpoint, and schedules the next step with a short delay. */
export const contract = consumer({
  operationId: "runWebhookTask",
  tag: "webhooks",
  summary: "Run one step of a webhook task",
  trigger: { kind: "queue", queue: webhookTaskSteps, batchSize: 1, maxConcurrency: 10 },
  message: webhookTaskReference,
  access: grants(getItem(webhookTasks), runWebhookTaskAccess),
});

export const handler = consume(contract, async ({ message }, deps) => {
  const task = await deps.webhookTasks.get(message);
  if (task?.state !== "pending" && task?.state !== "running") return;
  await runWebhookTaskStep(TeamScope.grant(message.team_id), task, deps);
});
