import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhooks/webhook-message.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import {
  eventIdParam,
  messageOwnerQuery,
  resendMessage,
  resendMessageAccess,
  toDeliveryReference,
} from "../../lib/services/webhooks/webhook-messages.ts";

export const contract = endpoint({
  operationId: "resendWebhookMessage",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/message/{event_id}/resend",
  tag: "management-webhooks",
  summary: "Resend a message",
  description: [
    "Sends a message again, delivered or not, now and with a complete retry schedule.",
    "The message keeps its id and carries the current data, with a fresh timestamp and signature.",
    "Pass the `user_id` of the message as the message list shows it, and omit it if it is null there.",
    "A wrong `user_id` returns `not_found`, as an unknown message does.",
    "A disabled endpoint returns `not_possible`: enable it first. A suspended one gets it after its next probe.",
  ],
  auth: "management",
  params: webhookParams.extend({ event_id: eventIdParam }),
  query: messageOwnerQuery,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(teams), getItem(webhookEndpoints), ...resendMessageAccess],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, ...deps }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return resendMessage(deps, toDeliveryReference(webhook, call.params.event_id, call.query.user_id));
});
