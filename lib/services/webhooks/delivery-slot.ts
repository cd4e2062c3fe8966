import type { AttemptMessage } from "../../events/webhooks/delivery.ts";
import { type EndpointHealth, isSlow, SLOW_ATTEMPT_MS } from "../../events/webhooks/endpoint-health.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { Slot } from "../../store/webhooks/delivery-slots.ts";
import { type DeliveryGateDependencies, postponeDelivery } from "./delivery-gate.ts";

/** Dependencies of delivery slots. */
export type DeliverySlotDependencies = DeliveryGateDependencies & Dependencies<"deliverySlots">;

/**
 * Maximum concurrent attempts to one slow endpoint, and to all slow endpoints of a team, so that they delay only their
 * own deliveries. Fast endpoints need no slot, which would cost two writes per attempt.
 */
const SLOT_LIMITS = { endpoint: 4, team: 10 } as const;

/** Runs an attempt. A slow endpoint needs a slot; without a free slot the delivery is postponed. */
export async function withSlot<T>(
  { message, health, log }: { readonly message: AttemptMessage; readonly health: EndpointHealth; readonly log: Log },
  deps: DeliverySlotDependencies,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  if (!isSlow(health, ports().clock.now())) return attempt();
  const slot = await acquireSlot(message, health, deps);
  if (slot === undefined) return undefined;
  try {
    return await attempt();
  } finally {
    // A slot that is not released expires. The attempt counts regardless.
    await deps.deliverySlots
      .release(message, slot)
      .catch((error) => log.error("a delivery slot was not released", error));
  }
}

async function acquireSlot(
  message: AttemptMessage,
  health: EndpointHealth,
  deps: DeliverySlotDependencies,
): Promise<Slot | undefined> {
  const nowMs = ports().clock.now();
  const random = ports().ids.bytes(6).toString("base64url");
  const taken = await deps.deliverySlots.acquire(message, SLOT_LIMITS, random, nowMs);
  if (typeof taken === "string") return taken;
  // Another delivery repeats the probe in the next minute.
  if (message.probe) return undefined;
  const gapMs = Math.ceil((health.slow_ms ?? SLOW_ATTEMPT_MS) / SLOT_LIMITS[taken.full]);
  await postponeDelivery(message, await deps.deliverySlots.reserveRetryTime(message, taken.full, gapMs, nowMs), deps);
  return undefined;
}
