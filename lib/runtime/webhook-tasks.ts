import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { type WebhookTask, webhookTaskName } from "../events/webhook-task.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import type { WebhookTaskStore } from "../store/webhook-tasks.ts";
import { isoNow, ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import { type RecoveringUses, recoverSome } from "./recovering.ts";
import { type ReplayingUses, replaySome } from "./replaying.ts";

interface TaskUses {
  readonly webhookTasks: WebhookTaskStore;
  readonly webhookTaskSteps: Queue;
}

/** Deliveries resent per second, so that a recovered endpoint is not overloaded. */
const SENT_PER_SECOND = 30;

/** The context of a step: a task and its enabled endpoint. */
export interface StepContext {
  readonly scope: TeamScope;
  readonly task: WebhookTask;
  readonly endpoint: WebhookEndpoint;
}

/** The result of a step, and the position of the next one; undefined after the last. */
export interface StepResult {
  readonly lookedAt: number;
  readonly sent: number;
  readonly next: WebhookTask["position"] | undefined;
}

/** Creates a task for an endpoint and enqueues its first step. */
export async function startTask(
  { webhookTasks, webhookTaskSteps }: TaskUses,
  endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">,
  about: { readonly kind: WebhookTask["kind"]; readonly since: string; readonly until?: string | null | undefined },
): Promise<WebhookTask> {
  const now = isoNow();
  const task: WebhookTask = {
    team_id: endpoint.team_id,
    endpoint_id: endpoint.endpoint_id,
    task_id: ports().ids.uuid(),
    kind: about.kind,
    state: "pending",
    since: about.since,
    until: about.until ?? now,
    looked_at: 0,
    sent: 0,
    step: 0,
    position: [],
    created_at: now,
    updated_at: now,
  };
  await webhookTasks.create(task);
  await webhookTaskSteps.send(webhookTaskName.parse(task));
  return task;
}

/**
 * Runs the next step of a task and enqueues the one after it. A repeated step, after a duplicate message or a crash,
 * sends nothing twice. If another worker has advanced the task, that worker continues it.
 */
export async function makeStep(
  scope: TeamScope,
  task: WebhookTask,
  uses: TaskUses & RecoveringUses & ReplayingUses & { readonly webhookEndpoints: WebhookEndpointStore },
): Promise<void> {
  const endpoint = await uses.webhookEndpoints.get(scope, task.endpoint_id);
  const before = { looked_at: task.looked_at, sent: task.sent, position: task.position };
  if (!endpoint || endpoint.disabled) {
    await uses.webhookTasks.advance(task, { ...before, state: "stopped", updated_at: isoNow() });
    return;
  }
  const context = { scope, task, endpoint };
  const { lookedAt, sent, next } = await (task.kind === "recover" ? recoverSome : replaySome)(context, uses);
  const isNoted = await uses.webhookTasks.advance(task, {
    state: next ? "running" : "done",
    looked_at: task.looked_at + lookedAt,
    sent: task.sent + sent,
    position: next ?? [],
    updated_at: isoNow(),
  });
  const delayS = Math.ceil(sent / SENT_PER_SECOND);
  if (next && isNoted) await uses.webhookTaskSteps.send(webhookTaskName.parse(task), { delayS });
}
