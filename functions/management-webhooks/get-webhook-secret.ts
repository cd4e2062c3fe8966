import * as z from "zod";
import { decryptDataKey, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { secretContext } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireWebhook, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "getWebhookSecret",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret",
  tag: "management-webhooks",
  summary: "Retrieve the signing secret of a webhook endpoint",
  description: [
    "Returns the current signing secret of a webhook endpoint, with which you verify the signature of each event.",
    "For 24 hours after a rotation, events also carry a signature with the previous secret.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  response: z.object({ key: z.string() }).meta({ id: "WebhookSecret" }),
  errors: [NotFound],
  access: [getItem(teams), getItem(webhookEndpoints), decryptDataKey(webhookSecretsKey, "webhook-secret")],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, secrets }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  return { key: await secrets.decrypt(webhook.sealed_secret, secretContext(webhook)) };
});
