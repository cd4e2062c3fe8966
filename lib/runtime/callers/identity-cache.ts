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
  const remembered = identityCache();
  const known = remembered.get(name);
  if (known && known.until > now) return known.value as T;
  const value = await read();
  if (remembered.size >= MAX_CACHED_IDENTITIES) remembered.clear();
  if (value) remembered.set(name, { until: now + IDENTITY_TTL_MS, value });
  else remembered.delete(name);
  return value;
}
