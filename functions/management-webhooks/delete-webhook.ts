import { deleteItem, getItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { endpointPlaces, teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { requireTeamScope } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  requireEndpointUnchanged,
  requireWebhook,
  webhookParams,
} from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "deleteWebhook",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}",
  tag: "management-webhooks",
  summary: "Delete a webhook endpoint",
  description: [
    "Deletes a webhook endpoint, which receives nothing more.",
    "Its waiting deliveries end as cancelled when they are due.",
    "To stop deliveries for a while, disable the endpoint instead.",
    "A concurrent change of its URL returns `conflict`: repeat the call.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: webhookParams,
  query: noFields,
  response: noContent,
  status: 204,
  errors: [NotFound, Conflict],
  access: [getItem(teams), getItem(webhookEndpoints), deleteItem(webhookEndpoints), updateItem(endpointPlaces)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, endpointPlaces, commit }) => {
  const scope = await requireTeamScope(teams, call);
  const webhook = await requireWebhook(webhookEndpoints, scope, call.params.webhook_id);
  await requireEndpointUnchanged(
    commit([webhookEndpoints.deleteItem(scope, webhook), endpointPlaces.releaseItem(webhook)]),
  );
  return undefined;
});
