import * as z from "zod";
import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { webhookTaskSteps } from "../../lib/contract/queues.ts";
import { teams, webhookEndpoints, webhookTasks } from "../../lib/contract/resources.ts";
import { pastInstant, toWireTask, wireWebhookTask } from "../../lib/events/webhook-task.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/runtime/team-webhooks.ts";
import { startTask } from "../../lib/runtime/webhook-tasks.ts";

/** Starts a task that resends the failed, exhausted and cancelled messages of an endpoint since an instant. */
export const contract = endpoint({
  operationId: "recoverWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/recover",
  tag: "management-webhooks",
  summary: "Resend the failed messages of a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  body: z.object({ since: pastInstant, until: pastInstant.nullish() }),
  response: wireWebhookTask,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [get(teams), get(webhookEndpoints), put(webhookTasks), send(webhookTaskSteps)],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, ...uses }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return toWireTask(await startTask(uses, webhook, { kind: "recover", ...body }));
});
