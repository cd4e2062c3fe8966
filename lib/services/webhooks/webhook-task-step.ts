import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { WebhookTask } from "../../events/webhooks/webhook-task.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** The context of a step of a webhook task: the task and its enabled endpoint. */
export interface StepContext {
  readonly scope: TeamScope;
  readonly task: WebhookTask;
  readonly endpoint: WebhookEndpoint;
}

/** The result of a step, and the position of the next one; undefined after the last. */
export interface StepResult {
  readonly scanned: number;
  readonly sent: number;
  readonly next: WebhookTask["position"] | undefined;
}
