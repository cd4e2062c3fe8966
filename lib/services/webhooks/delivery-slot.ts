import type { AttemptMessage } from "../../events/webhooks/delivery.ts";
import { type EndpointHealth, isPrompt, isSlow, SLOW_ATTEMPT_MS } from "../../events/webhooks/endpoint-health.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports, randomFraction } from "../../runtime/ports.ts";
import type { Slot } from "../../store/webhooks/delivery-slots.ts";
import { type DeliveryGateDependencies, postponeDelivery } from "./delivery-gate.ts";

/** Dependencies of delivery slots. */
export type DeliverySlotDependencies = DeliveryGateDependencies & Dependencies<"deliverySlots">;

/**
 * Maximum concurrent attempts to one slow endpoint, and to all slow endpoints of a team, so that they delay only their
 * own deliveries. Prompt endpoints need no slot, which would cost two writes per attempt.
 */
const SLOT_LIMITS = { endpoint: 4, team: 10 } as const;
/**
 * Maximum slots of a team for endpoints that are neither slow nor known to be prompt. One of them suffices for all first
 * attempts of an invocation, because it is the instance that others wait for.
 */
const UNPROVEN_SLOTS = 5;

/** Time after which a delivery without such a slot returns, ms. Until then most endpoints have shown how fast they are. */
const UNPROVEN_RETRY_MS = 2_000;

/** When a delivery returns that got no slot for an endpoint not known to be prompt, epoch ms. */
export const unprovenRetryMs = (): number => ports().clock.now() + UNPROVEN_RETRY_MS * (1 + randomFraction());

/** Returns the random part of a new slot. */
const randomSlotPart = (): string => ports().ids.bytes(6).toString("base64url");

/** An attempt that may need a slot. */
interface SlotRequest {
  readonly message: AttemptMessage;
  readonly health: EndpointHealth;
  readonly log: Log;
}

/** Runs an attempt. Unless its endpoint is prompt it needs a slot; without a free slot the delivery is postponed. */
export async function withSlot<T>(
  request: SlotRequest,
  deps: DeliverySlotDependencies,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  const { message, health, log } = request;
  const nowMs = ports().clock.now();
  if (isPrompt(health, nowMs)) return attempt();
  const isOfSlow = isSlow(health, nowMs);
  const slot = await (isOfSlow ? acquireSlot : acquireUnproven)(request, deps);
  if (slot === undefined) return undefined;
  try {
    return await attempt();
  } finally {
    const { deliverySlots } = deps;
    const released = isOfSlow
      ? deliverySlots.release(message, slot)
      : deliverySlots.releaseUnproven(message.team_id, slot);
    // A slot that is not released expires. The attempt counts regardless.
    await released.catch((error) => log.error("a delivery slot was not released", error));
  }
}

async function acquireSlot(
  { message, health }: SlotRequest,
  deps: DeliverySlotDependencies,
): Promise<Slot | undefined> {
  const nowMs = ports().clock.now();
  const taken = await deps.deliverySlots.acquire(message, SLOT_LIMITS, randomSlotPart(), nowMs);
  if (typeof taken === "string") return taken;
  // Another delivery repeats the probe in the next minute.
  if (message.probe) return undefined;
  const gapMs = Math.ceil((health.slow_ms ?? SLOW_ATTEMPT_MS) / SLOT_LIMITS[taken.full]);
  await postponeDelivery(message, await deps.deliverySlots.reserveRetryTime(message, taken.full, gapMs, nowMs), deps);
  return undefined;
}

async function acquireUnproven({ message }: SlotRequest, deps: DeliverySlotDependencies): Promise<Slot | undefined> {
  const nowMs = ports().clock.now();
  const slot = await deps.deliverySlots.acquireUnproven(message.team_id, UNPROVEN_SLOTS, randomSlotPart(), nowMs);
  if (slot === undefined && !message.probe) await postponeDelivery(message, unprovenRetryMs(), deps);
  return slot;
}

/**
 * The slots of one invocation for first attempts at endpoints that are not known to be prompt: at most one for each team.
 * A team thus never holds more instances for such attempts than it may have slots.
 */
export class InvocationSlots {
  readonly #deps: Dependencies<"deliverySlots">;
  readonly #slots = new Map<string, Promise<Slot | undefined>>();

  constructor(deps: Dependencies<"deliverySlots">) {
    this.#deps = deps;
  }

  /** Whether the invocation has a slot of the team. Acquires it at the first call. */
  async has(teamId: string): Promise<boolean> {
    const slot = this.#slots.get(teamId) ?? this.#acquire(teamId);
    this.#slots.set(teamId, slot);
    return (await slot) !== undefined;
  }

  /** Releases all slots after the last attempt. One that is not released expires. */
  async release(log: Log | undefined): Promise<void> {
    const releasing = [...this.#slots].map(async ([teamId, acquiring]) => {
      const slot = await acquiring;
      if (slot !== undefined) await this.#deps.deliverySlots.releaseUnproven(teamId, slot);
    });
    for (const outcome of await Promise.allSettled(releasing)) {
      if (outcome.status === "rejected") log?.error("a delivery slot was not released", outcome.reason);
    }
  }

  #acquire(teamId: string): Promise<Slot | undefined> {
    const nowMs = ports().clock.now();
    return this.#deps.deliverySlots.acquireUnproven(teamId, UNPROVEN_SLOTS, randomSlotPart(), nowMs);
  }
}
