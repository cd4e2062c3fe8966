import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { deliveries, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import {
  attemptList,
  eventIdParam,
  listAttempts,
  messageOwnerQuery,
  toDeliveryReference,
} from "../../lib/services/webhooks/webhook-messages.ts";

export const contract = endpoint({
  operationId: "listWebhookAttempts",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/message/{event_id}/attempt",
  tag: "management-webhooks",
  summary: "List the attempts of a message",
  description: [
    "Lists the attempts of a message, oldest first, each with the first kilobyte of the receiver's response.",
    "Pass the `user_id` of the message as the message list shows it, and omit it if it is null there.",
    "A wrong `user_id` returns `not_found`, as an unknown message does. Messages stay for 30 days.",
  ],
  auth: "management",
  params: webhookParams.extend({ event_id: eventIdParam }),
  query: messageOwnerQuery,
  response: attemptList,
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookEndpoints), getItem(deliveries)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, deliveries }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return listAttempts(deliveries, toDeliveryReference(webhook, call.params.event_id, call.query.user_id));
});
