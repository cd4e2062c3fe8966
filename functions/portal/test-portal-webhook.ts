import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireMessage } from "../../lib/events/webhooks/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalWebhookParams, requireEnabledWebhook } from "../../lib/services/webhooks/require-webhook.ts";
import { sendTestEvent, sendTestEventAccess, testEventDraft } from "../../lib/services/webhooks/send-test-event.ts";

/** Sends a test event from the portal to an endpoint. */
export const contract = endpoint({
  operationId: "testPortalWebhook",
  method: "POST",
  path: "/v2/portal/webhook/{webhook_id}/test",
  tag: "portal",
  summary: "Send a test event from the portal",
  auth: "portal",
  params: portalWebhookParams,
  query: noFields,
  body: testEventDraft,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [getItem(webhookEndpoints), ...sendTestEventAccess],
});

export const handler = implement(contract, async ({ scope, params, body }, { webhookEndpoints, ...deps }) =>
  sendTestEvent(deps, await requireEnabledWebhook(webhookEndpoints, scope, params.webhook_id), body),
);
