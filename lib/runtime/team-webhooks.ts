import * as z from "zod";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import { HOST_ENDPOINTS, TEAM_ENDPOINTS } from "../store/endpoint-places.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import { Conflict, NotFound, NotPossible, QuotaReached } from "./errors.ts";
import { teamParams } from "./team-path.ts";

/** Path of one of them. */
export const webhookParams = teamParams.extend({ webhook_id: z.guid().toLowerCase() });

/** Path of one of them in the portal, where the link says whose it is. */
export const portalParams = webhookParams.pick({ webhook_id: true });

const noRoom = () =>
  new QuotaReached(`A team may have ${TEAM_ENDPOINTS} webhook endpoints, and ${HOST_ENDPOINTS} of them at one host.`);

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

/** The answer of a transaction that gives a new endpoint its place. @throws QuotaReached when there is no room. */
export async function unlessFull<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed && error.items.has(1) ? noRoom() : error;
  }
}

/**
 * The answer of a transaction whose first condition is that the endpoint is as it was read, and whose second one is about its
 * place. @throws NotFound when it was deleted; Conflict when it was led elsewhere; QuotaReached when there is no room.
 */
export async function unlessChanged<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = error.items.get(0);
    if (now === undefined) throw noRoom();
    throw "pk" in now ? new Conflict("The endpoint was led elsewhere meanwhile: read it, and try again.") : noWebhook();
  }
}

/** The endpoint, if something can be sent there. @throws NotFound; NotPossible while it is disabled. */
export async function requireEnabledWebhook(...[endpoints, scope, endpointId]: Parameters<typeof requireWebhook>) {
  const endpoint = await requireWebhook(endpoints, scope, endpointId);
  if (endpoint.disabled) throw new NotPossible("The endpoint is disabled: enable it first.");
  return endpoint;
}
