import * as z from "zod";
import { decryptDataKey, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { headersContext } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { isSensitiveHeader, MASKED_VALUE, webhookHeaders } from "../../lib/events/webhooks/webhook-headers.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "getWebhookHeaders",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers",
  tag: "management-webhooks",
  summary: "Retrieve the headers of a webhook endpoint",
  description: [
    "Returns the custom headers that a webhook endpoint receives with each event.",
    "Values of headers whose names suggest keys, tokens or credentials are `********`, and `sensitive` lists them.",
    "An endpoint without custom headers returns empty lists, as after a change of its origin.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  response: z
    .object({ headers: z.record(z.string(), z.string()), sensitive: z.array(z.string()) })
    .meta({ id: "WebhookHeaders" }),
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookEndpoints), decryptDataKey(webhookSecretsKey, "webhook-headers")],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, secrets }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  if (webhook.headers === null) return { headers: {}, sensitive: [] };
  const headers = webhookHeaders.parse(JSON.parse(await secrets.decrypt(webhook.headers, headersContext(webhook))));
  const sensitive = Object.keys(headers).filter(isSensitiveHeader);
  return { headers: { ...headers, ...Object.fromEntries(sensitive.map((name) => [name, MASKED_VALUE])) }, sensitive };
});
