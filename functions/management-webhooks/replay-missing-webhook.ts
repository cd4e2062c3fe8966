import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { pastInstant, toWireTask, wireWebhookTask } from "../../lib/events/webhooks/webhook-task.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import { startWebhookTask, startWebhookTaskAccess } from "../../lib/services/webhooks/webhook-tasks.ts";

export const contract = endpoint({
  operationId: "replayMissingWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/replay_missing",
  tag: "management-webhooks",
  summary: "Replay the missing events of a webhook endpoint",
  description: [
    "Starts a task that sends the team's events since an instant which this endpoint has never received.",
    "Call it after you add an endpoint or widen its filter; it sends only events that match `filter_types`.",
    "Events stay for 30 days. For failed messages, call `recover` instead.",
    "Poll `GET .../webhook/{webhook_id}/task/{task_id}`; the task sends at most 30 messages a second.",
    "A disabled endpoint returns `not_possible`: enable it first.",
  ],
  auth: "management",
  consoleRoles: ["admin", "support"],
  params: webhookParams,
  query: noFields,
  body: z.object({ since: pastInstant }),
  response: wireWebhookTask,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(teams), getItem(webhookEndpoints), ...startWebhookTaskAccess],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, ...deps }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return toWireTask(await startWebhookTask(deps, webhook, { kind: "replay_missing", ...body }));
});
