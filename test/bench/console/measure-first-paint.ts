import type { Browser } from "playwright-core";
import { launchChromium } from "../../browser/chromium.ts";
import { type BenchPart, median, rowUpTo } from "../bench-row.ts";
import type { RunningService } from "../running-service.ts";

/** Time after which a person should see what they came for, milliseconds. */
const MOST_MS = 1_000;
const ROUNDS = 15;

/** Places, and what a person comes to see there. */
const places = [
  ["overview", "?", "Estimated cost"],
  ["users", "/users?", "plotted"],
] as const;

/** Opens the console with an empty cache, and measures when it shows text and when it shows data. */
export async function measureFirstPaint(service: Pick<RunningService, "consoleAddress">): Promise<BenchPart> {
  const browser = await launchChromium();
  try {
    const rows = [];
    for (const [name, place, content] of places) {
      const opened = [];
      for (let round = 0; round < ROUNDS; round++)
        opened.push(await openOnce(browser, await service.consoleAddress(place), content));
      rows.push(
        rowUpTo(
          `${name}, first text, median of ${ROUNDS}`,
          MOST_MS,
          median(opened.map((one) => one.text)),
          Number.NaN,
          " ms",
        ),
        rowUpTo(
          `${name}, its data, median of ${ROUNDS}`,
          MOST_MS,
          median(opened.map((one) => one.data)),
          Number.NaN,
          " ms",
        ),
      );
    }
    return { title: "First load of the console, with the sign-in by a ticket", rows };
  } finally {
    await browser.close();
  }
}

/** @returns milliseconds from the request of the page to its first text and to its data. */
async function openOnce(browser: Browser, address: string, content: string): Promise<{ text: number; data: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const startedAt = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.getByText(content).first().waitFor();
  const data = performance.now() - startedAt;
  const text = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await context.close();
  return { text: text ?? Number.NaN, data };
}
