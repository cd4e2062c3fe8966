import { get, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookAttempts } from "../../lib/contract/queues.ts";
import { deliveries, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { wireMessage } from "../../lib/events/webhook-message.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireEnabledWebhook, webhookParams } from "../../lib/runtime/team-webhooks.ts";
import { deliveryName, eventIdParam, ownerQuery, resendMessage } from "../../lib/runtime/webhook-messages.ts";

/**
 * Resends a message, delivered or not, with a new retry schedule. The message keeps its id and carries the current
 * data.
 */
export const contract = endpoint({
  operationId: "resendWebhookMessage",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/message/{event_id}/resend",
  tag: "management-webhooks",
  summary: "Resend a message",
  auth: "management",
  params: webhookParams.extend({ event_id: eventIdParam }),
  query: ownerQuery,
  response: wireMessage,
  status: 202,
  errors: [NotFound, NotPossible],
  access: [get(teams), get(webhookEndpoints), get(deliveries), update(deliveries), send(webhookAttempts)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, ...uses }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireEnabledWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return resendMessage(uses, deliveryName(webhook, call.params.event_id, call.query.user_id));
});
