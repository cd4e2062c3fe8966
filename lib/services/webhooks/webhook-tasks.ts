import { getItem, grants, putItem, sendMessage, updateItem } from "../../contract/access.ts";
import { webhookTaskSteps } from "../../contract/queues.ts";
import { webhookEndpoints, webhookTasks } from "../../contract/resources.ts";
import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { type WebhookTask, webhookTaskReference } from "../../events/webhooks/webhook-task.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WebhookEndpointStore } from "../../store/webhooks/webhook-endpoints.ts";
import {
  type RecoverDeliveriesDependencies,
  recoverDeliveries,
  recoverDeliveriesAccess,
} from "./recover-deliveries.ts";
import { type ReplayEventsDependencies, replayEvents, replayEventsAccess } from "./replay-events.ts";

type WebhookTasksDependencies = Dependencies<"webhookTasks" | "webhookTaskSteps">;

/** Grants of {@link startWebhookTask}. */
export const startWebhookTaskAccess = [putItem(webhookTasks), sendMessage(webhookTaskSteps)] as const;

/** Grants of {@link runWebhookTaskStep}. */
export const runWebhookTaskAccess = grants(
  [updateItem(webhookTasks), getItem(webhookEndpoints)],
  recoverDeliveriesAccess,
  replayEventsAccess,
  sendMessage(webhookTaskSteps),
);

/** Deliveries resent per second, so that a recovered endpoint is not overloaded. */
const SENT_PER_SECOND = 30;

/**
 * Creates a task for an endpoint and enqueues its first step.
 * @throws ValidationFailed for a range that begins in the future or ends before it begins.
 */
export async function startWebhookTask(
  { webhookTasks, webhookTaskSteps }: WebhookTasksDependencies,
  endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">,
  about: { readonly kind: WebhookTask["kind"]; readonly since: string; readonly until?: string | null | undefined },
): Promise<WebhookTask> {
  const now = isoNow();
  const until = about.until ?? now;
  if (about.since > now) throw ValidationFailed.at(["body", "since"], "In the future");
  if (about.since > until) throw ValidationFailed.at(["body", "until"], "Before since");
  const task: WebhookTask = {
    team_id: endpoint.team_id,
    endpoint_id: endpoint.endpoint_id,
    task_id: ports().ids.uuid(),
    kind: about.kind,
    state: "pending",
    since: about.since,
    until,
    looked_at: 0,
    sent: 0,
    step: 0,
    position: [],
    created_at: now,
    updated_at: now,
  };
  await webhookTasks.create(task);
  await webhookTaskSteps.send(webhookTaskReference.parse(task));
  return task;
}

/**
 * Runs the next step of a task and enqueues the one after it. A repeated step, after a duplicate message or a crash,
 * sends nothing twice. If another worker has advanced the task, that worker continues it.
 */
export async function runWebhookTaskStep(
  scope: TeamScope,
  task: WebhookTask,
  deps: WebhookTasksDependencies &
    RecoverDeliveriesDependencies &
    ReplayEventsDependencies & { readonly webhookEndpoints: WebhookEndpointStore },
): Promise<void> {
  const endpoint = await deps.webhookEndpoints.get(scope, task.endpoint_id);
  const before = { looked_at: task.looked_at, sent: task.sent, position: task.position };
  if (!endpoint || endpoint.disabled) {
    await deps.webhookTasks.recordStep(task, { ...before, state: "stopped", updated_at: isoNow() });
    return;
  }
  const context = { scope, task, endpoint };
  const { scanned, sent, next } = await (task.kind === "recover" ? recoverDeliveries : replayEvents)(context, deps);
  const isRecorded = await deps.webhookTasks.recordStep(task, {
    state: next ? "running" : "done",
    looked_at: task.looked_at + scanned,
    sent: task.sent + sent,
    position: next ?? [],
    updated_at: isoNow(),
  });
  const delayS = Math.ceil(sent / SENT_PER_SECOND);
  if (next && isRecorded) await deps.webhookTaskSteps.send(webhookTaskReference.parse(task), { delayS });
}
