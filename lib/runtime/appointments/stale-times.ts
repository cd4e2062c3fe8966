import type { SlotStore } from "../../store/slots.ts";
import { keptByContainer } from "../container.ts";
import { ports } from "../ports.ts";
import type { HeldTimes } from "./searching.ts";

/** Maximum age of a cached answer, milliseconds. */
const STALE_MS = 900_000;
/** Maximum cached answers of a container. */
const MOST_KEPT = 2_000;

const answers = keptByContainer(() => new Map<string, { readonly atMs: number; readonly held: ReadonlySet<number> }>());

/**
 * Creates a reader of booked slots. If answers may be stale, the reader caches them in the container for 15 minutes.
 * A booking checks the slot again, so a stale answer can only offer a slot that the booking refuses.
 */
export function heldTimes(slots: Pick<SlotStore, "heldBetween">, mayBeStale: boolean): HeldTimes {
  return async (place, fromMs, toMs) => {
    const name = [place.provider, place.place, toMs].join("#");
    const nowMs = ports().clock.now();
    const kept = answers();
    const known = kept.get(name);
    if (mayBeStale && known && nowMs - known.atMs < STALE_MS) return known.held;
    const held = await slots.heldBetween(place, fromMs, toMs);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(name, { atMs: nowMs, held });
    return held;
  };
}
