import type { KeyRecord, Team } from "../domain/identity.ts";
import { keptByContainer } from "./container.ts";
import { ports } from "./ports.ts";

/** Lifetime of cached identities in a container. A revoked key stops working within this time. */
export const TRUST_MS = 60_000;
/** Maximum number of cached identities of a container. */
export const MOST_REMEMBERED = 1_000;

const rememberedHere = keptByContainer(() => new Map<string, { until: number; value: KeyRecord | Team }>());

/** Reads an identity through a cache with a lifetime of {@link TRUST_MS}. A missing identity is not cached. */
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
