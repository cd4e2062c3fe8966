import type { KeyRecord, Team } from "../../domain/management/records.ts";
import { oncePerContainer } from "../container.ts";
import { ports } from "../ports.ts";

/** Lifetime of cached identities in a container. A revoked key stops working within this time. */
export const IDENTITY_TTL_MS = 60_000;
/** Maximum number of cached identities of a container. */
export const MAX_CACHED_IDENTITIES = 1_000;

const identityCache = oncePerContainer(() => new Map<string, { until: number; value: KeyRecord | Team }>());

/** Reads an identity through a cache with a lifetime of {@link IDENTITY_TTL_MS}. A missing identity is not cached. */
export async function readThroughCache<T extends KeyRecord | Team>(
  name: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = ports().clock.now();
  const cache = identityCache();
  const known = cache.get(name);
  if (known && known.until > now) return known.value as T;
  const value = await read();
  if (cache.size >= MAX_CACHED_IDENTITIES) cache.clear();
  if (value) cache.set(name, { until: now + IDENTITY_TTL_MS, value });
  else cache.delete(name);
  return value;
}
