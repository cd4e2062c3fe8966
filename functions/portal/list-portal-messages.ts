import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalWebhookParams, requireWebhook } from "../../lib/services/webhooks/require-webhook.ts";
import {
  listMessages,
  listMessagesAccess,
  messagePage,
  messageQuery,
} from "../../lib/services/webhooks/webhook-messages.ts";

/** Lists the messages of a webhook endpoint in the portal, newest first. */
export const contract = endpoint({
  operationId: "listPortalMessages",
  method: "GET",
  path: "/v2/portal/webhook/{webhook_id}/message",
  tag: "portal",
  summary: "List the messages of an endpoint in the portal",
  auth: "portal",
  params: portalWebhookParams,
  query: messageQuery,
  response: messagePage,
  errors: [NotFound],
  access: [getItem(webhookEndpoints), ...listMessagesAccess],
});

export const handler = implement(contract, async ({ scope, params, query, pages }, { webhookEndpoints, deliveries }) =>
  listMessages(deliveries, await requireWebhook(webhookEndpoints, scope, params.webhook_id), query, pages),
);
