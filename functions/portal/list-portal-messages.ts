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

export const contract = endpoint({
  operationId: "listPortalMessages",
  method: "GET",
  path: "/v2/portal/webhook/{webhook_id}/message",
  tag: "portal",
  summary: "List the messages of an endpoint in the portal",
  description: [
    "Returns the messages of an endpoint of the last 30 days to the webhook portal, newest first.",
    "A message names an event and its attempts, never its data, and appears when its first attempt ends or waits.",
    "A page holds 50 messages unless `limit` says otherwise, at most 100.",
    "With a `status`, a page may be short or empty although a cursor follows.",
  ],
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
