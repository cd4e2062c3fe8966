import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Age from which nothing uses a build any more: a service that runs for longer has loaded its functions. */
const MAX_AGE_MS = 3 * 24 * 60 * 60_000;

/**
 * Removes the builds and pointers of a cache that are older than three days, because every change of a source makes a
 * build of some 20 MB. A pointer whose build is gone counts as absent.
 * @param nowMs epoch milliseconds.
 */
export function pruneBuilds(cache: string, nowMs: number): void {
  for (const name of readdirSync(cache)) {
    const place = join(cache, name);
    const age = nowMs - (statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
    if (age > MAX_AGE_MS) rmSync(place, { recursive: true, force: true });
  }
}
