import { get, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, outbox, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/runtime/team-webhooks.ts";
import { sendTest, testDraft } from "../../lib/runtime/testing-webhooks.ts";

/**
 * Sends an example of an event type to this endpoint only. The event belongs to no user, and its id begins with test_.
 */
export const contract = endpoint({
  operationId: "testWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/test",
  tag: "management-webhooks",
  summary: "Send a test event to a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  body: testDraft,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [get(teams), get(webhookEndpoints), put(outbox), put(deliveries), send(webhookAttempts)],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, ...uses }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return sendTest(uses, webhook, body);
});
