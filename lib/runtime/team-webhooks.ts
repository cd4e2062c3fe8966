import * as z from "zod";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import { HOST_ENDPOINTS, TEAM_ENDPOINTS } from "../store/endpoint-places.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import { Conflict, NotFound, NotPossible, QuotaReached } from "./errors.ts";
import { teamParams } from "./team-path.ts";

/** Path parameters of a webhook endpoint. */
export const webhookParams = teamParams.extend({ webhook_id: z.guid().toLowerCase() });

/** Path parameters of a webhook endpoint in the portal, where the link determines the team. */
export const portalParams = webhookParams.pick({ webhook_id: true });

const noRoom = () =>
  new QuotaReached(
    `A team can have at most ${TEAM_ENDPOINTS} webhook endpoints, and at most ${HOST_ENDPOINTS} per host.`,
  );

const noWebhook = () => new NotFound("There is no webhook endpoint with this id.");

/** Returns the endpoint with this id. @throws NotFound if the team has none. */
export async function requireWebhook(
  endpoints: WebhookEndpointStore,
  scope: TeamScope,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.get(scope, endpointId);
  if (!endpoint) throw noWebhook();
  return endpoint;
}

/** Awaits a write that requires an existing endpoint. @throws NotFound if the condition fails. */
export async function unlessDeleted<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed ? noWebhook() : error;
  }
}

/** Awaits a transaction that counts a new endpoint (its second condition). @throws QuotaReached if that fails. */
export async function unlessFull<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed && error.items.has(1) ? noRoom() : error;
  }
}

/**
 * Awaits a transaction that requires an unchanged endpoint (first condition) and room for it (second condition).
 * @throws NotFound if the endpoint was deleted; Conflict if its URL changed; QuotaReached if no room is left.
 */
export async function unlessChanged<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = error.items.get(0);
    if (now === undefined) throw noRoom();
    throw "pk" in now
      ? new Conflict("The endpoint's URL changed in the meantime. Read the endpoint again and retry.")
      : noWebhook();
  }
}

/** Returns an enabled endpoint. @throws NotFound; NotPossible if the endpoint is disabled. */
export async function requireEnabledWebhook(...[endpoints, scope, endpointId]: Parameters<typeof requireWebhook>) {
  const endpoint = await requireWebhook(endpoints, scope, endpointId);
  if (endpoint.disabled) throw new NotPossible("The endpoint is disabled: enable it first.");
  return endpoint;
}
