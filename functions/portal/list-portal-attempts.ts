import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { deliveries, webhookEndpoints } from "../../lib/contract/resources.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalWebhookParams, requireWebhook } from "../../lib/services/webhooks/require-webhook.ts";
import {
  attemptList,
  eventIdParam,
  listAttempts,
  messageOwnerQuery,
  toDeliveryReference,
} from "../../lib/services/webhooks/webhook-messages.ts";

export const contract = endpoint({
  operationId: "listPortalAttempts",
  method: "GET",
  path: "/v2/portal/webhook/{webhook_id}/message/{event_id}/attempt",
  tag: "portal",
  summary: "List the attempts of a message in the portal",
  description: [
    "Returns the attempts to deliver one event to an endpoint, oldest first, to the webhook portal.",
    "Each has the status, the duration and the first kilobyte of the receiver's response.",
    "Name the user of the message in `user_id`; without it, only an event of the team itself is found.",
    "A message that the endpoint does not have answers `not_found`.",
  ],
  auth: "portal",
  params: portalWebhookParams.extend({ event_id: eventIdParam }),
  query: messageOwnerQuery,
  response: attemptList,
  errors: [NotFound],
  access: [getItem(webhookEndpoints), getItem(deliveries)],
});

export const handler = implement(contract, async ({ scope, params, query }, { webhookEndpoints, deliveries }) => {
  const webhook = await requireWebhook(webhookEndpoints, scope, params.webhook_id);
  return listAttempts(deliveries, toDeliveryReference(webhook, params.event_id, query.user_id));
});
