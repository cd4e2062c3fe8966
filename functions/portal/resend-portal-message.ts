import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhooks/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalWebhookParams, requireEnabledWebhook } from "../../lib/services/webhooks/require-webhook.ts";
import {
  eventIdParam,
  messageOwnerQuery,
  resendMessage,
  resendMessageAccess,
  toDeliveryReference,
} from "../../lib/services/webhooks/webhook-messages.ts";

export const contract = endpoint({
  operationId: "resendPortalMessage",
  method: "POST",
  path: "/v2/portal/webhook/{webhook_id}/message/{event_id}/resend",
  tag: "portal",
  summary: "Resend a message from the portal",
  description: [
    "Sends a message again from the webhook portal, delivered or not, with a complete retry schedule.",
    "It keeps its `webhook-id` and carries the current data with a fresh signature.",
    "The answer is 202 at once; `GET` of its attempts shows the outcome.",
    "A disabled endpoint answers `not_possible`: enable it first. A suspended one gets it after its next probe.",
    "Name the user of the message in `user_id`; a message that the endpoint does not have answers `not_found`.",
  ],
  auth: "portal",
  params: portalWebhookParams.extend({ event_id: eventIdParam }),
  query: messageOwnerQuery,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(webhookEndpoints), ...resendMessageAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { webhookEndpoints, ...deps }) => {
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, params.webhook_id);
  return resendMessage(deps, toDeliveryReference(webhook, params.event_id, query.user_id));
});
