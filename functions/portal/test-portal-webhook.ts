import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, outbox, webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalParams, requireEnabledWebhook } from "../../lib/runtime/team-webhooks.ts";
import { sendTest, testDraft } from "../../lib/runtime/testing-webhooks.ts";

/** Sends a test event from the portal to an endpoint. */
export const contract = endpoint({
  operationId: "testPortalWebhook",
  method: "POST",
  path: "/v2/portal/webhook/{webhook_id}/test",
  tag: "portal",
  summary: "Send a test event from the portal",
  auth: "portal",
  params: portalParams,
  query: nothing,
  body: testDraft,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [get(webhookEndpoints), put(outbox), put(deliveries), send(webhookAttempts)],
});

export const handler = implement(contract, async ({ scope, params, body }, { webhookEndpoints, ...uses }) =>
  sendTest(uses, await requireEnabledWebhook(webhookEndpoints, scope, params.webhook_id), body),
);
