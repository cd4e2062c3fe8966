import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { toWireWebhook, wireWebhook } from "../../lib/events/webhook-endpoint.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/team-path.ts";

/** Lists all webhook endpoints of a team in one page, because a team has few. */
export const contract = endpoint({
  operationId: "listWebhooks",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook",
  tag: "management-webhooks",
  summary: "List webhook endpoints",
  auth: "management",
  params: teamParams,
  query: nothing,
  response: z.object({ data: z.array(wireWebhook), next_cursor: z.null() }).meta({ id: "WebhookEndpointPage" }),
  errors: [NotFound],
  access: [get(teams), query(webhookEndpoints)],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints }) => {
  const scope = await requireTeamScope(teams, call);
  return { data: (await webhookEndpoints.list(scope)).map(toWireWebhook), next_cursor: null };
});
