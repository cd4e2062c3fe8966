import { get, getMany, put, query, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { webhookAttempts, webhookTaskSteps } from "../../lib/contract/queues.ts";
import { deliveries, eventFeed, outbox, webhookEndpoints, webhookTasks } from "../../lib/contract/resources.ts";
import { webhookTaskName } from "../../lib/events/webhook-task.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { makeStep } from "../../lib/runtime/webhook-tasks.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs one step of a recover or replay task of an endpoint, and schedules the next step with a short delay. */
export const contract = consumer({
  operationId: "runWebhookTask",
  tag: "webhooks",
  summary: "Run one step of a webhook task",
  trigger: { kind: "queue", queue: webhookTaskSteps, batchSize: 1, maxConcurrency: 10 },
  message: webhookTaskName,
  access: [
    get(webhookTasks),
    update(webhookTasks),
    get(webhookEndpoints),
    query(deliveries, "by_endpoint"),
    getMany(deliveries),
    update(deliveries),
    put(deliveries),
    get(eventFeed),
    query(eventFeed),
    getMany(outbox),
    send(webhookAttempts),
    send(webhookTaskSteps),
  ],
});

export const handler = consume(contract, async ({ message }, uses) => {
  const task = await uses.webhookTasks.get(message);
  if (task?.state !== "pending" && task?.state !== "running") return;
  await makeStep(TeamScope.grant(message.team_id), task, uses);
});
