import { generateDataKey, getItem, putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { endpointPlaces, teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateWebhookSecret } from "../../lib/crypto/webhook-signature.ts";
import { secretContext, toWireWebhook, webhookDraft, wireWebhook } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireReachableUrl } from "../../lib/services/webhooks/require-reachable-url.ts";
import { requireEndpointRoom } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "createWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook",
  tag: "management-webhooks",
  summary: "Create a webhook endpoint",
  description: [
    "Creates a webhook endpoint of a team, which receives the events that match `filter_types`, from now on.",
    "An empty or absent filter selects all events. For earlier events, call `replay_missing` afterwards.",
    "The URL must use https on the port 443 or 8443, and its host must have only public addresses.",
    "A team can have 100 endpoints, and 20 of them at one host; another one returns `quota_reached`.",
    "Without a `secret`, the service creates one: `GET .../webhook/{webhook_id}/secret` returns it.",
    "With a `format` of CloudEvents, requests are CloudEvents 1.0 whose `data` is the body of the event.",
    "A repeated call creates a second endpoint, which receives each event too.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: teamParams,
  query: noFields,
  body: webhookDraft,
  response: wireWebhook,
  status: 201,
  errors: [NotFound, QuotaReached],
  access: [
    getItem(teams),
    putItem(webhookEndpoints),
    updateItem(endpointPlaces),
    generateDataKey(webhookSecretsKey, "webhook-secret"),
  ],
});

export const handler = implement(
  contract,
  async ({ body, ...call }, { teams, webhookEndpoints, endpointPlaces, secrets, commit }) => {
    const scope = await requireTeamScope(teams, call);
    await requireReachableUrl(body.url);
    const { url, description, filter_types, rate_limit, disabled, secret, format } = body;
    const owner = { endpoint_id: ports().ids.uuid(), team_id: scope.teamId };
    const now = isoNow();
    const plain = secret ?? generateWebhookSecret(ports().ids.bytes);
    const record = {
      ...owner,
      url,
      description,
      filter_types: filter_types ?? [],
      rate_limit: rate_limit ?? null,
      format,
      disabled,
      disabled_reason: disabled ? ("manual" as const) : null,
      sealed_secret: await secrets.encrypt(plain, secretContext(owner)),
      previous_secret: null,
      headers: null,
      created_at: now,
      updated_at: now,
    };
    await requireEndpointRoom(commit([webhookEndpoints.createItem(scope, record), endpointPlaces.reserveItem(record)]));
    return toWireWebhook(record, undefined);
  },
);
