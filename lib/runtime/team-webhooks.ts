import * as z from "zod";
import { environments, type KeyRecord } from "../domain/identity.ts";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { TeamStore } from "../store/identity.ts";
import { TeamScope } from "../store/team-scope.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import { NotFound, NotPossible } from "./errors.ts";
import { requireServed, requireTeam } from "./management.ts";

/** Path of all webhook endpoints of a team on the management API. */
export const teamParams = z.object({
  org_id: z.guid().toLowerCase(),
  team_id: z.guid().toLowerCase(),
  env: z.enum(environments),
});

/** Path of one of them. */
export const webhookParams = teamParams.extend({ webhook_id: z.guid().toLowerCase() });

/** Path of one of them in the portal, where the link says whose it is. */
export const portalParams = webhookParams.pick({ webhook_id: true });

type Called = { readonly key: KeyRecord; readonly params: z.output<typeof teamParams> };

/** The scope of the team that the path names. @throws NotFound unless this deployment serves it and the key reaches it. */
export async function requireTeamScope(teams: TeamStore, { key, params }: Called): Promise<TeamScope> {
  requireServed(params);
  const { team_id } = await requireTeam(teams, key, params.org_id, params.team_id);
  return TeamScope.grant(team_id);
}

const noWebhook = () => new NotFound("There is no webhook endpoint with this id.");

/** The endpoint with this id. @throws NotFound when the team has none. */
export async function requireWebhook(
  endpoints: WebhookEndpointStore,
  scope: TeamScope,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.get(scope, endpointId);
  if (!endpoint) throw noWebhook();
  return endpoint;
}

/** The answer of a write whose condition is that the endpoint is there. @throws NotFound when it does not hold. */
export async function unlessDeleted<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed ? noWebhook() : error;
  }
}

/** The endpoint, if something can be sent there. @throws NotFound; NotPossible while it is disabled. */
export async function requireEnabledWebhook(...[endpoints, scope, endpointId]: Parameters<typeof requireWebhook>) {
  const endpoint = await requireWebhook(endpoints, scope, endpointId);
  if (endpoint.disabled) throw new NotPossible("The endpoint is disabled: enable it first.");
  return endpoint;
}
