import { get, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { endpointHealth, endpointPlaces, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import {
  changesOf,
  isFreshStart,
  toWireWebhook,
  webhookPatch,
  wireWebhook,
} from "../../lib/events/webhook-endpoint.ts";
import { Conflict, NotFound, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireWebhook, unlessChanged, unlessDeleted, webhookParams } from "../../lib/runtime/team-webhooks.ts";
import { requireReachable } from "../../lib/runtime/webhook-url.ts";

/**
 * Changes the settings of a webhook endpoint. Enabling it or changing its URL resets its failure record. A URL of
 * another origin deletes the custom headers, because they belong to the former receiver.
 */
export const contract = endpoint({
  operationId: "updateWebhook",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}",
  tag: "management-webhooks",
  summary: "Update a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  body: webhookPatch,
  response: wireWebhook,
  errors: [NotFound, Conflict, QuotaReached],
  access: [
    get(teams),
    get(webhookEndpoints),
    update(webhookEndpoints),
    update(endpointPlaces),
    get(endpointHealth),
    update(endpointHealth),
  ],
});

export const handler = implement(contract, async ({ body, ...call }, { teams, endpointHealth, ...uses }) => {
  const { webhookEndpoints, endpointPlaces, commit } = uses;
  const scope = await requireTeamScope(teams, call);
  const before = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  if (body.url) await requireReachable(body.url);
  // Reset first: an endpoint that is enabled with its former failures could be disabled by the next one.
  if (isFreshStart(body, before)) await endpointHealth.forget(before, ports().clock.now());
  const changes = changesOf(body, before, isoNow());
  if (changes.url === undefined) {
    return toWireWebhook(await unlessDeleted(webhookEndpoints.change(scope, before.endpoint_id, changes)));
  }
  const move = [webhookEndpoints.changeItem(scope, before, changes), ...endpointPlaces.moveItems(before, changes.url)];
  await unlessChanged(commit(move));
  return toWireWebhook(await requireWebhook(webhookEndpoints, scope, before.endpoint_id));
});
