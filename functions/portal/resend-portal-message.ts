import { get, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalParams, requireEnabledWebhook } from "../../lib/runtime/team-webhooks.ts";
import { deliveryName, eventIdParam, ownerQuery, resendMessage } from "../../lib/runtime/webhook-messages.ts";

/** Resends a message from the portal, delivered or not, with a new retry schedule. */
export const contract = endpoint({
  operationId: "resendPortalMessage",
  method: "POST",
  path: "/v2/portal/webhook/{webhook_id}/message/{event_id}/resend",
  tag: "portal",
  summary: "Resend a message from the portal",
  auth: "portal",
  params: portalParams.extend({ event_id: eventIdParam }),
  query: ownerQuery,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [get(webhookEndpoints), get(deliveries), update(deliveries), send(webhookAttempts)],
});

export const handler = implement(contract, async ({ scope, params, query }, { webhookEndpoints, ...uses }) => {
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, params.webhook_id);
  return resendMessage(uses, deliveryName(webhook, params.event_id, query.user_id));
});
