import { DAY_MS } from "../../domain/shared/durations.ts";
import { oncePerContainer } from "../../runtime/container.ts";
import { ports } from "../../runtime/ports.ts";
import type { SlotStore } from "../../store/appointments/slots.ts";
import type { ReadHeldTimes } from "./search-availability.ts";

/** Maximum age of a cached answer, milliseconds. */
const MAX_STALENESS_MS = 900_000;
/** Maximum cached answers of a container. */
const MAX_ENTRIES = 2_000;

const answers = oncePerContainer(
  () => new Map<string, { readonly atMs: number; readonly held: ReadonlySet<number> }>(),
);

/**
 * Creates a reader of booked slots. If answers may be stale, the reader caches them in the container for 15 minutes.
 * A booking checks the slot again, so a stale answer can only offer a slot that the booking refuses.
 */
export function createHeldTimesReader(slots: Pick<SlotStore, "listReservedTimes">, mayBeStale: boolean): ReadHeldTimes {
  return async (place, fromMs, toMs) => {
    const name = [place.provider, place.place, Math.floor(fromMs / DAY_MS), toMs].join("#");
    const nowMs = ports().clock.now();
    const kept = answers();
    const known = kept.get(name);
    if (mayBeStale && known && nowMs - known.atMs < MAX_STALENESS_MS) return known.held;
    const held = await slots.listReservedTimes(place, fromMs, toMs);
    if (kept.size >= MAX_ENTRIES) kept.clear();
    kept.set(name, { atMs: nowMs, held });
    return held;
  };
}
