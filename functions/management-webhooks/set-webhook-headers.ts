import * as z from "zod";
import { generateDataKey, getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { headersContext } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { webhookHeadersDraft } from "../../lib/events/webhooks/webhook-headers.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import {
  requireEndpointUnchanged,
  requireWebhook,
  webhookParams,
} from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "setWebhookHeaders",
  method: "PUT",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers",
  tag: "management-webhooks",
  summary: "Replace the headers of a webhook endpoint",
  description: [
    "Replaces all custom headers that a webhook endpoint receives with each event.",
    "An endpoint can have 30 headers, each with up to 1,000 visible characters.",
    "Headers of the transfer and of the signature are reserved, and names count once, whatever their case.",
    "The masked value `********` is rejected: send all values again.",
    "The headers go only to the present origin: a URL of another origin deletes them.",
    "A concurrent change of the URL returns `conflict`.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  body: z.object({ headers: webhookHeadersDraft }),
  response: noContent,
  status: 204,
  errors: [NotFound, Conflict],
  access: [
    getItem(teams),
    getItem(webhookEndpoints),
    updateItem(webhookEndpoints),
    generateDataKey(webhookSecretsKey, "webhook-headers"),
  ],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, secrets, commit }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  const headers = await secrets.encrypt(JSON.stringify(body.headers), headersContext(webhook));
  // If the URL changed in the meantime, the headers must not go to the new receiver.
  await requireEndpointUnchanged(
    commit([webhookEndpoints.updateItem(scope, webhook, { headers, updated_at: isoNow() })]),
  );
  return undefined;
});
