import type { EventReference } from "../../events/catalogue/envelope.ts";
import { type AttemptMessage, planDelivery, toAttemptMessage } from "../../events/webhooks/delivery.ts";
import { type EndpointHealth, isSlow } from "../../events/webhooks/endpoint-health.ts";
import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Lease } from "../../store/webhooks/lease-queue.ts";
import { enqueueAttempt } from "./attempt-queue.ts";
import { type CurrentBodyDependencies, resolveCurrentBody } from "./current-body.ts";
import { countWithinRateLimit, type DeliveryGateDependencies } from "./delivery-gate.ts";
import type { DeliveryLeaseDependencies } from "./delivery-lease.ts";
import { type AttemptEnd, type MakeAttemptDependencies, makeAttempt } from "./make-attempt.ts";

/** Dependencies of a first attempt. */
export type FirstAttemptDependencies = DeliveryGateDependencies &
  DeliveryLeaseDependencies &
  CurrentBodyDependencies &
  MakeAttemptDependencies &
  Dependencies<"deliverySlots">;

/** An event for a subscribed endpoint. */
export interface NewDelivery {
  readonly scope: TeamScope;
  readonly event: EventReference;
  readonly endpoint: WebhookEndpoint;
  readonly log: Log;
}

/** What a first attempt reads before its lease. */
export interface FirstAttemptState {
  /** When the read began, epoch ms. */
  readonly readMs: number;
  readonly isThere: boolean;
  readonly isStored: boolean;
  readonly health: EndpointHealth;
  readonly text: string | undefined;
}

/**
 * Stores a delivery for the attempt queue, where the conditions of an attempt are checked again.
 * @param dueMs epoch ms.
 */
export async function storeDelivery(
  { event, endpoint }: Pick<NewDelivery, "event" | "endpoint">,
  { deliveries, webhookAttempts }: Pick<FirstAttemptDependencies, "deliveries" | "webhookAttempts">,
  dueMs = ports().clock.now(),
): Promise<void> {
  const planned = await deliveries.create(event, endpoint.endpoint_id, ports().clock.now(), dueMs);
  await enqueueAttempt(webhookAttempts, toAttemptMessage(planned), dueMs);
}

/** Returns the message of the attempt queue about a new delivery. */
export const toFirstMessage = ({ event, endpoint: { endpoint_id } }: NewDelivery): AttemptMessage =>
  toAttemptMessage({ ...event, endpoint_id, event });

/** Reads the state of a first attempt. Concurrent first attempts share the requests. */
export async function readFirstState(
  { scope, event, endpoint }: NewDelivery,
  deps: FirstAttemptDependencies,
): Promise<FirstAttemptState> {
  const { user_id } = event;
  const readMs = ports().clock.now();
  const [isTeamThere, isUserThere, health, stored, inline] = await deps.read([
    deps.teams.readActiveItem(scope.teamId),
    deps.users.readActiveItem(scope, user_id),
    deps.endpointHealth.readItem(endpoint),
    deps.deliveries.readItem({ ...event, endpoint_id: endpoint.endpoint_id }),
    deps.outbox.readInlineBodyItem(event),
  ]);
  // Events of the team itself name no user.
  const isThere = isTeamThere && (isUserThere || user_id === "");
  // Most events contain their body. Reading the item of a long body too would cost one more unit.
  const text = inline ?? (await deps.outbox.getBody(event));
  return { readMs, isThere, isStored: stored !== undefined, health, text };
}

/** Whether the attempt may be made now: nothing is deleted, and the endpoint is neither suspended, paused nor slow. */
export function isAttemptable({ isThere, health, text }: FirstAttemptState): boolean {
  const nowMs = ports().clock.now();
  const isPaused = Date.parse(health.hold_until ?? "") > nowMs;
  return isThere && text !== undefined && health.parked_at === undefined && !isPaused && !isSlow(health, nowMs);
}

/** Makes a first attempt under its lease. @returns the end of the attempt; or when to try later (epoch ms). */
export async function attemptUnderLease(
  { scope, event, endpoint, log }: NewDelivery,
  { health, text }: FirstAttemptState,
  lease: Lease,
  deps: FirstAttemptDependencies,
): Promise<AttemptEnd | number> {
  const fullUntilMs = await countWithinRateLimit(endpoint, deps);
  if (fullUntilMs !== undefined) return fullUntilMs;
  // Read under the lease: an attempt before this one may have sent newer values.
  const body = await resolveCurrentBody(scope, { endpoint, reference: event, text }, deps);
  const nowMs = ports().clock.now();
  if (body === undefined) return nowMs;
  const planned = planDelivery(event, endpoint.endpoint_id, nowMs);
  const delivery = { ...planned, unstored: planned };
  return makeAttempt({ scope, lease, endpoint, health, delivery, body, isProbe: false, log }, deps);
}
