import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams, webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireWebhook } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { showWebhooks, showWebhooksAccess } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "listWebhooks",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook",
  tag: "management-webhooks",
  summary: "List webhook endpoints",
  description: [
    "Lists all webhook endpoints of a team, disabled ones too.",
    "A team has at most 100, so the list has one page, and `next_cursor` is always null.",
  ],
  auth: "management",
  params: teamParams,
  query: noFields,
  response: z.object({ data: z.array(wireWebhook), next_cursor: z.null() }).meta({ id: "WebhookEndpointPage" }),
  errors: [NotFound],
  access: [getItem(teams), queryItems(webhookEndpoints), ...showWebhooksAccess],
});

export const handler = implement(contract, async (call, { teams, webhookEndpoints, ...deps }) => {
  const scope = await requireTeamScope(teams, call);
  return { data: await showWebhooks(await webhookEndpoints.list(scope), deps), next_cursor: null };
});
