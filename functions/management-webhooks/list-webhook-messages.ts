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

export const contract = endpoint({
  operationId: "listWebhookMessages",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/message",
  tag: "management-webhooks",
  summary: "List the messages of a webhook endpoint",
  description: [
    "Lists past and pending messages of a webhook endpoint of the last 30 days, newest first.",
    "It shows ids, type, state and number of attempts, but no data.",
    "A page has 50 messages by default and at most 100.",
    "With a `status`, a call examines about 1,000 messages: a page may be short or empty while `next_cursor` is set.",
    "A message appears once its first attempt ends or has to wait.",
  ],
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
