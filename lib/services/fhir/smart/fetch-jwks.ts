import * as z from "zod";
import { publicJwk } from "../../../domain/fhir/smart/fhir-client.ts";
import { oncePerContainer } from "../../../runtime/container.ts";
import { guardedFetch } from "../../../runtime/guarded-fetch.ts";
import { ports } from "../../../runtime/ports.ts";
import { TtlCache } from "../../../runtime/ttl-cache.ts";

/** Timeout of a request, and the maximum size of its response. */
const [TIMEOUT_MS, MAX_BYTES] = [5_000, 64 * 1_024];
/** Maximum number of keys that are read from an address. */
const MAX_REMOTE_KEYS = 50;
/** Sets of a container, and for how long each is used. A key that its client withdrew verifies for so long. */
const cachedSets = oncePerContainer(() => new TtlCache<RemoteKeys>(100, 300_000));
/** Time between two requests to one address for unknown keys. */
const RELOAD_MS = 30_000;

/** Public keys of an address, and when they were read, epoch ms. */
interface RemoteKeys {
  readonly keys: readonly Readonly<Record<string, string>>[];
  readonly readAt: number;
}

const remoteJwks = z.object({ keys: z.array(z.unknown()).max(MAX_REMOTE_KEYS) });

/**
 * Reads the public keys of an address through a cache. A key that the cache lacks is looked up anew, at most every 30 s.
 * Keys that the service cannot use are left out.
 * @throws Error if the address must not receive requests, or does not answer with a set of keys in time.
 */
export async function fetchJwks(url: string, kid: string): Promise<RemoteKeys> {
  const load = async (): Promise<RemoteKeys> => {
    const text = await ports().outbound(() => readText(new URL(url)), "the keys of a client");
    const { keys } = remoteJwks.parse(JSON.parse(text));
    const known = keys.flatMap((key) => {
      const { data } = publicJwk.safeParse(key);
      return data ? [data] : [];
    });
    return { keys: known, readAt: ports().clock.now() };
  };
  const found = await cachedSets().get(url, load);
  const isKnown = found.keys.some((key) => key.kid === kid);
  if (isKnown || ports().clock.now() - found.readAt < RELOAD_MS) return found;
  cachedSets().delete(url);
  return cachedSets().get(url, load);
}

/** Reads an address. @throws Error for any answer other than 200. */
async function readText(url: URL): Promise<string> {
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const answer = await guardedFetch(url, { headers: { accept: "application/json" } }, bounds);
  if (answer.status !== 200) throw new Error("the address of the keys answered with another status than 200");
  return answer.text();
}
