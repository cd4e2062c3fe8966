import * as z from "zod";
import { batchGetItem } from "../../contract/access.ts";
import { endpointHealth } from "../../contract/resources.ts";
import { toWireWebhook, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { teamParams } from "../../runtime/callers/team-path.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Conflict, NotFound, NotPossible, QuotaReached } from "../../runtime/errors.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { MAX_ENDPOINTS_PER_HOST, MAX_ENDPOINTS_PER_TEAM } from "../../store/webhooks/endpoint-quotas.ts";
import type { WebhookEndpointStore } from "../../store/webhooks/webhook-endpoints.ts";

/** Path parameters of a webhook endpoint. */
export const webhookParams = teamParams.extend({ webhook_id: z.guid().toLowerCase() });

/** Path parameters of a webhook endpoint in the portal, where the link determines the team. */
export const portalWebhookParams = webhookParams.pick({ webhook_id: true });

const endpointQuotaReached = () =>
  new QuotaReached(
    `A team can have at most ${MAX_ENDPOINTS_PER_TEAM} webhook endpoints, and at most ${MAX_ENDPOINTS_PER_HOST} per host.`,
  );

export const webhookNotFound = () => new NotFound("There is no webhook endpoint with this id.");

/** Returns the endpoint with this id. @throws NotFound if the team has none. */
export async function requireWebhook(
  endpoints: WebhookEndpointStore,
  scope: TeamScope,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.get(scope, endpointId);
  if (!endpoint) throw webhookNotFound();
  return endpoint;
}

/** Awaits a write that requires an existing endpoint. @throws NotFound if the condition fails. */
export const requireEndpointExists = <T>(write: Promise<T>): Promise<T> =>
  explainConditionFailed(write, webhookNotFound);

/** Awaits a transaction that counts a new endpoint (its second condition). @throws QuotaReached if that fails. */
export const requireEndpointRoom = <T>(write: Promise<T>): Promise<T> =>
  explainConditionFailed(write, (failure) => (failure.items.has(1) ? endpointQuotaReached() : failure));

/**
 * Awaits a transaction that requires an unchanged endpoint (first condition) and room for it (second condition).
 * @throws NotFound if the endpoint was deleted; Conflict if its URL changed; QuotaReached if no room is left.
 */
export const requireEndpointUnchanged = <T>(write: Promise<T>): Promise<T> =>
  explainConditionFailed(write, ({ items }) => {
    const now = items.get(0);
    if (now === undefined) return endpointQuotaReached();
    return "pk" in now
      ? new Conflict("The endpoint's URL changed in the meantime. Read the endpoint again and retry.")
      : webhookNotFound();
  });

/** Returns an enabled endpoint. @throws NotFound; NotPossible if the endpoint is disabled. */
export async function requireEnabledWebhook(...[endpoints, scope, endpointId]: Parameters<typeof requireWebhook>) {
  const endpoint = await requireWebhook(endpoints, scope, endpointId);
  if (endpoint.disabled) throw new NotPossible("The endpoint is disabled: enable it first.");
  return endpoint;
}

/** Grants of {@link showWebhooks}. */
export const showWebhooksAccess = [batchGetItem(endpointHealth)] as const;

/** Returns the responses for endpoints, with their suspensions. */
export async function showWebhooks(
  endpoints: readonly WebhookEndpoint[],
  { endpointHealth, read }: Dependencies<"endpointHealth" | "read">,
) {
  const health = await read(endpoints.map((one) => endpointHealth.readItem(one)));
  return endpoints.map((endpoint, place) => toWireWebhook(endpoint, health[place]));
}
