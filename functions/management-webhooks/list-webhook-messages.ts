import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import {
  listMessages,
  listMessagesAccess,
  messagePage,
  messageQuery,
} from "../../lib/services/webhooks/webhook-messages.ts";

/** Lists the sent and pending messages of a webhook endpoint, newest first. */
export const contract = endpoint({
  operationId: "listWebhookMessages",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/message",
  tag: "management-webhooks",
  summary: "List the messages of a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: messageQuery,
  response: messagePage,
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookEndpoints), ...listMessagesAccess],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, deliveries }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return listMessages(deliveries, webhook, call.query, call.pages);
});
