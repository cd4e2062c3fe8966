import * as z from "zod";
import { get, open } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { headersContext } from "../../lib/events/webhook-endpoint.ts";
import { isSensitiveHeader, MASK, webhookHeaders } from "../../lib/events/webhook-headers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireWebhook, webhookParams } from "../../lib/runtime/team-webhooks.ts";

/** Returns the custom headers of a webhook endpoint. Values of sensitive headers are masked. */
export const contract = endpoint({
  operationId: "getWebhookHeaders",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers",
  tag: "management-webhooks",
  summary: "Retrieve the headers of a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  response: z
    .object({ headers: z.record(z.string(), z.string()), sensitive: z.array(z.string()) })
    .meta({ id: "WebhookHeaders" }),
  errors: [NotFound],
  access: [get(teams), get(webhookEndpoints), open(webhookSecretsKey, "webhook-headers")],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, secrets }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  if (webhook.headers === null) return { headers: {}, sensitive: [] };
  const headers = webhookHeaders.parse(JSON.parse(await secrets.open(webhook.headers, headersContext(webhook))));
  const sensitive = Object.keys(headers).filter(isSensitiveHeader);
  return { headers: { ...headers, ...Object.fromEntries(sensitive.map((name) => [name, MASK])) }, sensitive };
});
