import * as z from "zod";
import { get, seal, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { empty, nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { headersContext } from "../../lib/events/webhook-endpoint.ts";
import { webhookHeadersDraft } from "../../lib/events/webhook-headers.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireWebhook, unlessChanged, webhookParams } from "../../lib/runtime/team-webhooks.ts";

/**
 * Replaces all custom headers of a webhook endpoint. The headers are encrypted, and only the current host receives
 * them.
 */
export const contract = endpoint({
  operationId: "setWebhookHeaders",
  method: "PUT",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers",
  tag: "management-webhooks",
  summary: "Replace the headers of a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  body: z.object({ headers: webhookHeadersDraft }),
  response: empty,
  status: 204,
  errors: [NotFound, Conflict],
  access: [get(teams), get(webhookEndpoints), update(webhookEndpoints), seal(webhookSecretsKey, "webhook-headers")],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, secrets, commit }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  const headers = await secrets.seal(JSON.stringify(body.headers), headersContext(webhook));
  // If the URL changed in the meantime, the headers must not go to the new receiver.
  await unlessChanged(commit([webhookEndpoints.changeItem(scope, webhook, { headers, updated_at: isoNow() })]));
  return undefined;
});
