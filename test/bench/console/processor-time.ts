import type { Page } from "playwright-core";

/**
 * Reads the processor time that the main thread of a page has used, milliseconds. Unlike the distance of frames, it does
 * not grow while other programs hold the processor.
 */
export async function openProcessorTime(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const tasks = metrics.find(({ name }) => name === "TaskDuration");
    if (!tasks) throw new Error("the browser does not measure the time of tasks");
    return tasks.value * 1_000;
  };
}
