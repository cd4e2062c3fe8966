import { isTestEvent } from "../../events/catalogue/event-id.ts";
import type { AttemptMessage, CancelReason, Delivery } from "../../events/webhooks/delivery.ts";
import type { EndpointHealth } from "../../events/webhooks/endpoint-health.ts";
import { isSubscribed, type WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { ReadItem } from "../../store/read-item.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { enqueueAttempt } from "./attempt-queue.ts";

/** Dependencies of the checks before an attempt. */
export type DeliveryGateDependencies = Dependencies<
  "users" | "webhookEndpoints" | "endpointHealth" | "endpointRates" | "deliveries" | "webhookAttempts" | "read"
> & { readonly teams: Pick<TeamStore, "readActiveItem"> };

/**
 * Maximum spread of deliveries after a hold, which otherwise is a tenth of the hold. It makes 10,000 deliveries 28 per
 * second.
 */
const MAX_SPREAD_MS = 6 * 60_000;

/** What the conditions of an attempt depend on, all read at the same time. */
interface DeliveryState {
  readonly isTeamThere: boolean;
  readonly endpoint: WebhookEndpoint | undefined;
  readonly health: EndpointHealth;
  readonly isUserThere: boolean;
  readonly delivery: Delivery | undefined;
}

/** A delivery with its endpoint, and the endpoint's health. */
export type DeliveryTarget = Pick<DeliveryState, "health" | "delivery"> & { readonly endpoint: WebhookEndpoint };

/** Reads what the conditions of an attempt depend on, and one item more, with one request for each table. */
export async function readDeliveryState<T>(
  scope: TeamScope,
  message: AttemptMessage,
  also: ReadItem<T>,
  deps: DeliveryGateDependencies,
): Promise<readonly [DeliveryState, T]> {
  const [isTeamThere, endpoint, health, isUserThere, delivery, other] = await deps.read([
    deps.teams.readActiveItem(scope.teamId),
    deps.webhookEndpoints.readItem(scope, message.endpoint_id),
    deps.endpointHealth.readItem(message),
    deps.users.readActiveItem(scope, message.user_id),
    deps.deliveries.readItem(message),
    also,
  ]);
  return [{ isTeamThere, endpoint, health, isUserThere, delivery }, other];
}

/**
 * Returns the target of a delivery if it may be attempted now. Otherwise cancels, postpones or holds the delivery,
 * which uses up no attempt, and returns undefined.
 */
export async function admitDelivery(
  message: AttemptMessage,
  { isTeamThere, endpoint, health, isUserThere, delivery }: DeliveryState,
  deps: DeliveryGateDependencies,
): Promise<DeliveryTarget | undefined> {
  // Events of the team itself name no user.
  const isThere = { team: isTeamThere, user: isUserThere || message.user_id === "" };
  const nowMs = ports().clock.now();
  const reason = findCancelReason(endpoint, isThere) ?? (delivery && findFilterReason(endpoint, delivery));
  if (!endpoint || reason) {
    await deps.deliveries.cancel(message, reason ?? "endpoint_deleted");
    // End the suspension too, so that held deliveries end now and do not wait for a probe.
    if (isThere.team && isThere.user && health.parked_at && reason !== "filtered")
      await deps.endpointHealth.clearFailures(message, health, nowMs);
    return undefined;
  }
  const heldMs = Date.parse(health.hold_until ?? "");
  if (heldMs > nowMs) await postponePastHold(message, heldMs, deps);
  else if (health.parked_at !== undefined && !message.probe) await holdDelivery(message, deps);
  else return { endpoint, health, delivery };
  return undefined;
}

function findCancelReason(
  endpoint: WebhookEndpoint | undefined,
  isThere: { readonly team: boolean; readonly user: boolean },
): CancelReason | undefined {
  if (!isThere.team) return "team_deleted";
  if (!endpoint) return "endpoint_deleted";
  if (endpoint.disabled) return endpoint.disabled_reason ?? "manual";
  return isThere.user ? undefined : "user_deleted";
}

/** A filter that was narrowed stops what waits. What the team sends again, and its tests, arrive regardless. */
function findFilterReason(endpoint: WebhookEndpoint | undefined, { event, resent_at }: Delivery) {
  if (!endpoint || resent_at !== undefined || isTestEvent(event)) return undefined;
  return isSubscribed(endpoint, event.type) ? undefined : ("filtered" as const);
}

/** Postpones a delivery to the end of the receiver's Retry-After hold, with jitter against a thundering herd. */
async function postponePastHold(
  message: AttemptMessage,
  heldMs: number,
  deps: DeliveryGateDependencies,
): Promise<void> {
  if (message.probe) return;
  const spreadMs = Math.min((heldMs - ports().clock.now()) / 10, MAX_SPREAD_MS);
  const random = ports().ids.bytes(2).readUInt16BE() / 65_536;
  await postponeDelivery(message, heldMs + spreadMs * random, deps);
}

async function holdDelivery(
  message: AttemptMessage,
  { deliveries, endpointHealth, webhookAttempts }: DeliveryGateDependencies,
): Promise<void> {
  const nowMs = ports().clock.now();
  if (!(await deliveries.hold(message, nowMs))) return;
  // The endpoint may have recovered since, and the release of its held deliveries may be over.
  const { parked_at } = await endpointHealth.get(message);
  if (parked_at === undefined) await enqueueAttempt(webhookAttempts, message, nowMs);
}

/** Whether the endpoint's rate limit admits one more attempt in this second. If not, postpones the delivery. */
export async function admitWithinRateLimit(
  message: AttemptMessage,
  endpoint: WebhookEndpoint,
  deps: DeliveryGateDependencies,
): Promise<boolean> {
  const fullUntilMs = await countWithinRateLimit(endpoint, deps);
  if (fullUntilMs !== undefined) await postponeDelivery(message, fullUntilMs, deps);
  return fullUntilMs === undefined;
}

/**
 * Counts one more attempt of this second at an endpoint with a rate limit.
 * @returns undefined if the limit admits it; otherwise when the attempts before it are over (epoch ms).
 */
export async function countWithinRateLimit(
  { team_id, endpoint_id, rate_limit: limit }: WebhookEndpoint,
  { endpointRates }: Pick<DeliveryGateDependencies, "endpointRates">,
): Promise<number | undefined> {
  if (limit === null) return undefined;
  const second = Math.floor(ports().clock.now() / 1000);
  const place = await endpointRates.increment({ team_id, endpoint_id }, second);
  return place <= limit ? undefined : (second + Math.floor((place - 1) / limit)) * 1000;
}

/** Postpones a delivery without using up an attempt. @param untilMs epoch ms. */
export async function postponeDelivery(
  message: AttemptMessage,
  untilMs: number,
  { deliveries, webhookAttempts }: Pick<DeliveryGateDependencies, "deliveries" | "webhookAttempts">,
) {
  const wasDue = await deliveries.postpone(message, ports().clock.now(), untilMs);
  if (wasDue) await enqueueAttempt(webhookAttempts, message, untilMs);
}
