import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { endpointHealth, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireWebhook, wireWebhook } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "getWebhook",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}",
  tag: "management-webhooks",
  summary: "Retrieve a webhook endpoint",
  description: [
    "Returns the settings of a webhook endpoint; its secret and headers have routes of their own.",
    "`disabled_reason` says who disabled it: `manual`, `gone` after a 410, or `failing` after 5 days of failures.",
    "An empty `filter_types` means all events.",
    "`suspended_since` is set while the service holds the messages of an endpoint that is down, and probes it.",
  ],
  auth: "management",
  params: webhookParams,
  query: noFields,
  response: wireWebhook,
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookEndpoints), getItem(endpointHealth)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, endpointHealth }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return toWireWebhook(webhook, await endpointHealth.get(webhook));
});
