import { get, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { empty, nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope } from "../../lib/runtime/team-path.ts";
import { unlessDeleted, webhookParams } from "../../lib/runtime/team-webhooks.ts";

/** Deletes a webhook endpoint. Its deliveries that have not ended do so when they come due, and say why. */
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
  errors: [NotFound],
  access: [get(teams), remove(webhookEndpoints)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints }) => {
  const scope = await requireTeamScope(teams, call);
  await unlessDeleted(webhookEndpoints.remove(scope, call.params.webhook_id));
  return undefined;
});
