import type { SlotStore } from "../../store/slots.ts";
import { keptByContainer } from "../container.ts";
import { ports } from "../ports.ts";
import type { HeldTimes } from "./searching.ts";

/** How old an answer may be that is allowed to be stale, milliseconds. */
const STALE_MS = 900_000;
/** Answers that a container keeps at most. */
const MOST_KEPT = 2_000;

const answers = keptByContainer(() => new Map<string, { readonly atMs: number; readonly held: ReadonlySet<number> }>());

/**
 * The times that are taken: read, or, where the answer may be stale, as this container has read them within a quarter of
 * an hour, which spares the reads. A booking looks again, so a stale answer can only offer what is refused then.
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
