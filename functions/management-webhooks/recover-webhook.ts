import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields, utcInstant } from "../../lib/contract/shared-schemas.ts";
import { pastInstant, toWireTask, wireWebhookTask } from "../../lib/events/webhooks/webhook-task.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import { startWebhookTask, startWebhookTaskAccess } from "../../lib/services/webhooks/webhook-tasks.ts";

export const contract = endpoint({
  operationId: "recoverWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/recover",
  tag: "management-webhooks",
  summary: "Resend the failed messages of a webhook endpoint",
  description: [
    "Starts a task that sends the failed messages of an endpoint again, from `since` to `until` (by default now).",
    "Call it once your receiver works again. For events without a message, call `replay_missing` instead.",
    "These are messages of types that its filter selects, and exhausted, cancelled, or waiting after a failure.",
    "Poll `GET .../webhook/{webhook_id}/task/{task_id}`; the task sends at most 30 messages a second, each once.",
    "Messages keep their ids and carry the current data.",
    "Messages stay for 30 days. A disabled endpoint returns `not_possible`: enable it first.",
  ],
  auth: "management",
  consoleRoles: ["admin", "support"],
  params: webhookParams,
  query: noFields,
  body: z.object({ since: pastInstant, until: utcInstant.nullish().describe("Not before `since`. Default: now") }),
  response: wireWebhookTask,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(teams), getItem(webhookEndpoints), ...startWebhookTaskAccess],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, ...deps }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return toWireTask(await startWebhookTask(deps, webhook, { kind: "recover", ...body }));
});
