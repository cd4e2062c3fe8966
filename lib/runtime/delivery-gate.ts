import type { AttemptMessage, CancelReason, Delivery } from "../events/delivery.ts";
import type { EndpointHealth } from "../events/endpoint-health.ts";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { DeliveryLeaseStore, Line } from "../store/delivery-leases.ts";
import type { EndpointHealthStore } from "../store/endpoint-health.ts";
import type { EndpointRateStore } from "../store/endpoint-rates.ts";
import type { TeamStore } from "../store/identity.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UserStore } from "../store/users.ts";
import type { WebhookEndpointStore } from "../store/webhook-endpoints.ts";
import { lookAt } from "./attempt-queue.ts";
import { ports } from "./ports.ts";
import type { Queue } from "./queue.ts";
import type { Reading } from "./uses.ts";

/** Dependencies of the checks before an attempt. */
export interface GateUses {
  readonly teams: Pick<TeamStore, "readingPresence">;
  readonly users: UserStore;
  readonly webhookEndpoints: WebhookEndpointStore;
  readonly endpointHealth: EndpointHealthStore;
  readonly endpointRates: EndpointRateStore;
  readonly deliveries: DeliveryStore;
  readonly deliveryLeases: DeliveryLeaseStore;
  readonly webhookAttempts: Queue;
  readonly read: Reading;
}

/**
 * Maximum spread of deliveries after a hold, which otherwise is a tenth of the hold. It makes 10,000 deliveries 28 per
 * second.
 */
const LONGEST_SPREAD_MS = 6 * 60_000;

/** A delivery with its endpoint, the endpoint's health and its lease queue, all read at the same time. */
export interface Destination {
  readonly endpoint: WebhookEndpoint;
  readonly health: EndpointHealth;
  readonly delivery: Delivery | undefined;
  readonly line: Line;
}

/**
 * Returns the target of a delivery if it may be attempted now. Otherwise cancels, postpones or holds the delivery,
 * which uses up no attempt, and returns undefined.
 */
export async function passGate(
  scope: TeamScope,
  message: AttemptMessage,
  uses: GateUses,
): Promise<Destination | undefined> {
  const [isTeamThere, endpoint, health, isPresent, delivery, line] = await uses.read([
    uses.teams.readingPresence(scope.teamId),
    uses.webhookEndpoints.reading(scope, message.endpoint_id),
    uses.endpointHealth.reading(message),
    uses.users.readingPresence(scope, message.user_id),
    uses.deliveries.reading(message),
    uses.deliveryLeases.reading(message),
  ]);
  // Events of the team itself name no user.
  const isThere = { team: isTeamThere, user: isPresent || message.user_id === "" };
  const nowMs = ports().clock.now();
  const reason = reasonToCancel(endpoint, isThere);
  if (!endpoint || reason) {
    await uses.deliveries.cancel(message, reason ?? "endpoint_deleted");
    // End the suspension too, so that held deliveries end now and do not wait for a probe.
    if (isThere.team && isThere.user && health.parked_at) await uses.endpointHealth.reset(message, health, nowMs);
    return undefined;
  }
  const heldMs = Date.parse(health.hold_until ?? "");
  if (heldMs > nowMs) await waitOutHold(message, heldMs, uses);
  else if (health.parked_at !== undefined && !message.probe) await park(message, uses);
  else return { endpoint, health, delivery, line };
  return undefined;
}

function reasonToCancel(
  endpoint: WebhookEndpoint | undefined,
  isThere: { readonly team: boolean; readonly user: boolean },
): CancelReason | undefined {
  if (!isThere.team) return "team_deleted";
  if (!endpoint) return "endpoint_deleted";
  if (endpoint.disabled) return endpoint.disabled_reason ?? "manual";
  return isThere.user ? undefined : "user_deleted";
}

/** Postpones a delivery to the end of the receiver's Retry-After hold, with jitter against a thundering herd. */
async function waitOutHold(message: AttemptMessage, heldMs: number, uses: GateUses): Promise<void> {
  if (message.probe) return;
  const spreadMs = Math.min((heldMs - ports().clock.now()) / 10, LONGEST_SPREAD_MS);
  const chance = ports().ids.bytes(2).readUInt16BE() / 65_536;
  await putOff(message, heldMs + spreadMs * chance, uses);
}

async function park(message: AttemptMessage, { deliveries, endpointHealth, webhookAttempts }: GateUses): Promise<void> {
  const nowMs = ports().clock.now();
  if (!(await deliveries.park(message, nowMs))) return;
  // The endpoint may have recovered since, and the release of its held deliveries may be over.
  const { parked_at } = await endpointHealth.get(message);
  if (parked_at === undefined) await lookAt(webhookAttempts, message, nowMs);
}

/**
 * Whether the endpoint's rate limit admits one more attempt in this second. If not, postpones the delivery by the
 * seconds that the attempts before it fill.
 */
export async function isWithinRate(
  message: AttemptMessage,
  { rate_limit: limit }: WebhookEndpoint,
  uses: GateUses,
): Promise<boolean> {
  if (limit === null) return true;
  const second = Math.floor(ports().clock.now() / 1000);
  const place = await uses.endpointRates.count(message, second);
  if (place <= limit) return true;
  await putOff(message, (second + Math.floor((place - 1) / limit)) * 1000, uses);
  return false;
}

/** Postpones a delivery without using up an attempt. @param untilMs epoch ms. */
export async function putOff(message: AttemptMessage, untilMs: number, { deliveries, webhookAttempts }: GateUses) {
  const wasDue = await deliveries.putOff(message, ports().clock.now(), untilMs);
  if (wasDue) await lookAt(webhookAttempts, message, untilMs);
}
