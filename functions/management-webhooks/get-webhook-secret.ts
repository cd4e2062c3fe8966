import * as z from "zod";
import { get, open } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { secretContext } from "../../lib/events/webhook-endpoint.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireWebhook, webhookParams } from "../../lib/runtime/team-webhooks.ts";

/** Returns the signing secret of a webhook endpoint. */
export const contract = endpoint({
  operationId: "getWebhookSecret",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret",
  tag: "management-webhooks",
  summary: "Retrieve the signing secret of a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  response: z.object({ key: z.string() }).meta({ id: "WebhookSecret" }),
  errors: [NotFound],
  access: [get(teams), get(webhookEndpoints), open(webhookSecretsKey, "webhook-secret")],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, secrets }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return { key: await secrets.open(webhook.sealed_secret, secretContext(webhook)) };
});
