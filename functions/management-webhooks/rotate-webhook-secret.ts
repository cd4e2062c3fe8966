import * as z from "zod";
import { generateDataKey, getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { generateWebhookSecret } from "../../lib/crypto/webhook-signature.ts";
import { SECRET_OVERLAP_MS, secretContext, webhookSecret } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireWebhook, webhookNotFound, webhookParams } from "../../lib/services/webhooks/require-webhook.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret/rotate",
  tag: "management-webhooks",
  summary: "Rotate the signing secret of a webhook endpoint",
  description: [
    "Replaces the signing secret of a webhook endpoint by the `key` in the body, or by a new random one.",
    "For 24 hours, each event carries signatures with both secrets, so that you can change over.",
    "The response is empty: `GET .../webhook/{webhook_id}/secret` returns the new secret.",
    "Another rotation within these 24 hours returns `conflict`.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  body: z.object({ key: webhookSecret.nullish().describe("The new secret. Default: a random one") }).optional(),
  response: noContent,
  status: 204,
  errors: [NotFound, Conflict],
  access: [
    getItem(teams),
    getItem(webhookEndpoints),
    updateItem(webhookEndpoints),
    generateDataKey(webhookSecretsKey, "webhook-secret"),
  ],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, webhookEndpoints, secrets }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  const sealed_secret = await secrets.encrypt(
    body?.key ?? generateWebhookSecret(ports().ids.bytes),
    secretContext(webhook),
  );
  const nowMs = ports().clock.now();
  const [now = "", expires_at = ""] = [nowMs, nowMs + SECRET_OVERLAP_MS].map((ms) => new Date(ms).toISOString());
  await explainConditionFailed(
    webhookEndpoints.rotateSecret(scope, webhook, { sealed_secret, now, expires_at }),
    ({ items }) =>
      items.get(0)?.sealed_secret === undefined
        ? webhookNotFound()
        : new Conflict("The secret was rotated within the last 24 hours, and the previous secret is still valid."),
  );
  return undefined;
});
