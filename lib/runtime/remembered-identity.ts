import type { KeyRecord, Team } from "../domain/identity.ts";
import { keptByContainer } from "./container.ts";
import { ports } from "./ports.ts";

/** How long a container trusts what it has read: a revoked key is dead within this time. */
export const TRUST_MS = 60_000;
/** How many answers a container remembers. */
export const MOST_REMEMBERED = 1_000;

const rememberedHere = keptByContainer(() => new Map<string, { until: number; value: KeyRecord | Team }>());

/** Reads through a memory of at most {@link TRUST_MS}; what does not exist is never remembered. */
export async function recall<T extends KeyRecord | Team>(
  name: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = ports().clock.now();
  const remembered = rememberedHere();
  const known = remembered.get(name);
  if (known && known.until > now) return known.value as T;
  const value = await read();
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  if (value) remembered.set(name, { until: now + TRUST_MS, value });
  else remembered.delete(name);
  return value;
}
