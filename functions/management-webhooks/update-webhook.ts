import { getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { endpointHealth, endpointPlaces, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  shouldResetHealth,
  toEndpointChanges,
  toWireWebhook,
  webhookPatch,
  wireWebhook,
} from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireReachableUrl } from "../../lib/services/webhooks/require-reachable-url.ts";
import {
  requireEndpointExists,
  requireEndpointUnchanged,
  requireWebhook,
  webhookParams,
} from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "updateWebhook",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}",
  tag: "management-webhooks",
  summary: "Update a webhook endpoint",
  description: [
    "Changes settings of a webhook endpoint; absent fields stay as they are.",
    "Null clears the description, the filter and the rate limit, and leaves the URL and `disabled` unchanged.",
    "A disabled endpoint receives nothing, and its waiting deliveries end as cancelled.",
    "Enabling it, or another URL, starts it with clean health, so that earlier failures do not count.",
    "A URL of another origin deletes the custom headers, because they belong to the former receiver.",
    "A host with 20 endpoints of the team returns `quota_reached`, and a concurrent change of the URL `conflict`.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  body: webhookPatch,
  response: wireWebhook,
  errors: [NotFound, Conflict, QuotaReached],
  access: [
    getItem(teams),
    getItem(webhookEndpoints),
    updateItem(webhookEndpoints),
    updateItem(endpointPlaces),
    getItem(endpointHealth),
    updateItem(endpointHealth),
  ],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, endpointHealth, ...deps }) => {
  const { webhookEndpoints, endpointPlaces, commit } = deps;
  const scope = await requireTeamScope(teams, call);
  const before = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  if (body.url) await requireReachableUrl(body.url);
  // Reset first: an endpoint that is enabled with its former failures could be disabled by the next one.
  if (shouldResetHealth(body, before)) await endpointHealth.clearAll(before, ports().clock.now());
  const changes = toEndpointChanges(body, before, isoNow());
  if (changes.url === undefined) {
    const changed = await requireEndpointExists(webhookEndpoints.update(scope, before.endpoint_id, changes));
    return toWireWebhook(changed, await endpointHealth.get(before));
  }
  const move = [webhookEndpoints.updateItem(scope, before, changes), ...endpointPlaces.moveItems(before, changes.url)];
  await requireEndpointUnchanged(commit(move));
  // Another change may have followed the commit. The answer shows this one.
  const moved = await requireWebhook(webhookEndpoints, scope, before.endpoint_id);
  return toWireWebhook({ ...moved, ...changes }, await endpointHealth.get(before));
});
