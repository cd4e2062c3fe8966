import { ports } from "../ports.ts";

/** Interval between two checks. */
const LOOK_EVERY_MS = 200;

/**
 * Polls a condition until it holds, for at most `mostMs` of the runtime's clock and a matching number of checks.
 * @returns whether the condition holds.
 */
export async function waitUntil(mostMs: number, isThere: () => Promise<boolean>): Promise<boolean> {
  const until = ports().clock.now() + mostMs;
  for (let looks = mostMs / LOOK_EVERY_MS; ; looks--) {
    if (await isThere()) return true;
    if (looks <= 0 || ports().clock.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
