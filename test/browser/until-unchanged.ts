import type { Page } from "playwright-core";

/** Longer than a view rests before it loads what it shows. */
const QUIET_MS = 600;

/** Waits until a count stays the same: a page that has loaded once does not become "networkidle" again. */
export async function untilUnchanged(page: Page, count: () => number): Promise<void> {
  for (let known = -1; known !== count(); ) {
    known = count();
    await page.waitForTimeout(QUIET_MS);
  }
}
