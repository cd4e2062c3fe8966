import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireMessage } from "../../lib/events/webhooks/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalWebhookParams, requireEnabledWebhook } from "../../lib/services/webhooks/require-webhook.ts";
import { sendTestEvent, sendTestEventAccess, testEventDraft } from "../../lib/services/webhooks/send-test-event.ts";

export const contract = endpoint({
  operationId: "testPortalWebhook",
  method: "POST",
  path: "/v2/portal/webhook/{webhook_id}/test",
  tag: "portal",
  summary: "Send a test event from the portal",
  description: [
    "Sends an example of an event to one endpoint from the webhook portal, whatever the endpoint's filter.",
    "It is about the user `00000000-0000-4000-8000-000000000000`, and its id begins with `test_`.",
    "The answer is 202 at once, and `GET /v2/events` does not contain the event.",
    "A disabled endpoint answers `not_possible`: enable it first. A suspended one gets it after its next probe.",
  ],
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
