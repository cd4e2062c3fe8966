import { ports } from "../../runtime/ports.ts";

/** Interval between two checks. */
const CHECK_INTERVAL_MS = 200;

/**
 * Polls a condition until it holds, for at most `mostMs` of the runtime's clock and a matching number of checks.
 * @returns whether the condition holds.
 */
export async function waitUntil(mostMs: number, isThere: () => Promise<boolean>): Promise<boolean> {
  const until = ports().clock.now() + mostMs;
  for (let looks = mostMs / CHECK_INTERVAL_MS; ; looks--) {
    if (await isThere()) return true;
    if (looks <= 0 || ports().clock.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
}
