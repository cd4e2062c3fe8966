import type { AttemptMessage } from "../events/delivery.ts";
import { type EndpointHealth, isSlow, SLOW_ATTEMPT_MS } from "../events/endpoint-health.ts";
import type { DeliverySlotStore, Slot } from "../store/delivery-slots.ts";
import { type GateUses, putOff } from "./delivery-gate.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";

/** What taking part in the attempts that are open takes. */
export interface SlotUses extends GateUses {
  readonly deliverySlots: DeliverySlotStore;
}

/**
 * Attempts that are open at the same time to one slow endpoint, and to all slow ones of a team: what they hold up is their
 * own. Endpoints that answer in time take no slot, which would cost two writes for each attempt.
 */
const BOUNDS = { endpoint: 4, team: 10 } as const;

/** Makes an attempt at once, or to a slow endpoint while it has a slot; without one the delivery is put off. */
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
    // A slot that is not given back ends by itself; the attempt was made all the same.
    await uses.deliverySlots.giveBack(message, slot).catch((error) => log.error("a slot was not given back", error));
  }
}

async function take(message: AttemptMessage, health: EndpointHealth, uses: SlotUses): Promise<Slot | undefined> {
  const nowMs = ports().clock.now();
  const random = ports().ids.bytes(6).toString("base64url");
  const taken = await uses.deliverySlots.take(message, BOUNDS, random, nowMs);
  if (typeof taken === "string") return taken;
  // A probe that finds no room is made in the next minute, by another delivery.
  if (message.probe) return undefined;
  const gapMs = Math.ceil((health.slow_ms ?? SLOW_ATTEMPT_MS) / BOUNDS[taken.full]);
  await putOff(message, await uses.deliverySlots.nextPlace(message, taken.full, gapMs, nowMs), uses);
  return undefined;
}
