import { get, remove, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { empty, nothing } from "../../lib/contract/parts.ts";
import { endpointPlaces, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { requireWebhook, unlessChanged, webhookParams } from "../../lib/runtime/team-webhooks.ts";

/** Deletes a webhook endpoint. Its open deliveries end at their next due time and record the reason. */
export const contract = endpoint({
  operationId: "deleteWebhook",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}",
  tag: "management-webhooks",
  summary: "Delete a webhook endpoint",
  auth: "management",
  params: webhookParams,
  query: nothing,
  response: empty,
  status: 204,
  errors: [NotFound, Conflict],
  access: [get(teams), get(webhookEndpoints), remove(webhookEndpoints), update(endpointPlaces)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, endpointPlaces, commit }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  await unlessChanged(commit([webhookEndpoints.removeItem(scope, webhook), endpointPlaces.freeItem(webhook)]));
  return undefined;
});
