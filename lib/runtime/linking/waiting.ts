import { ports } from "../ports.ts";

/** Whoever waits looks this often. */
const LOOK_EVERY_MS = 200;

/**
 * Waits for something that others do, for so long at most, by the runtime's clock and by looks.
 * @returns whether it came about.
 */
export async function waitUntil(mostMs: number, isThere: () => Promise<boolean>): Promise<boolean> {
  const until = ports().clock.now() + mostMs;
  for (let looks = mostMs / LOOK_EVERY_MS; ; looks--) {
    if (await isThere()) return true;
    if (looks <= 0 || ports().clock.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
