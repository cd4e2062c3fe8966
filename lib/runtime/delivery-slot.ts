import type { AttemptMessage } from "../events/delivery.ts";
import { type EndpointHealth, isSlow, SLOW_ATTEMPT_MS } from "../events/endpoint-health.ts";
import type { DeliverySlotStore, Slot } from "../store/delivery-slots.ts";
import { type GateUses, putOff } from "./delivery-gate.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";

/** Dependencies of delivery slots. */
export interface SlotUses extends GateUses {
  readonly deliverySlots: DeliverySlotStore;
}

/**
 * Maximum concurrent attempts to one slow endpoint, and to all slow endpoints of a team, so that they delay only their
 * own deliveries. Fast endpoints need no slot, which would cost two writes per attempt.
 */
const BOUNDS = { endpoint: 4, team: 10 } as const;

/** Runs an attempt. A slow endpoint needs a slot; without a free slot the delivery is postponed. */
export async function withSlot<T>(
  { message, health, log }: { readonly message: AttemptMessage; readonly health: EndpointHealth; readonly log: Log },
  uses: SlotUses,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  if (!isSlow(health, ports().clock.now())) return attempt();
  const slot = await take(message, health, uses);
  if (slot === undefined) return undefined;
  try {
    return await attempt();
  } finally {
    // A slot that is not released expires. The attempt counts regardless.
    await uses.deliverySlots
      .giveBack(message, slot)
      .catch((error) => log.error("a delivery slot was not released", error));
  }
}

async function take(message: AttemptMessage, health: EndpointHealth, uses: SlotUses): Promise<Slot | undefined> {
  const nowMs = ports().clock.now();
  const random = ports().ids.bytes(6).toString("base64url");
  const taken = await uses.deliverySlots.take(message, BOUNDS, random, nowMs);
  if (typeof taken === "string") return taken;
  // Another delivery repeats the probe in the next minute.
  if (message.probe) return undefined;
  const gapMs = Math.ceil((health.slow_ms ?? SLOW_ATTEMPT_MS) / BOUNDS[taken.full]);
  await putOff(message, await uses.deliverySlots.nextPlace(message, taken.full, gapMs, nowMs), uses);
  return undefined;
}
