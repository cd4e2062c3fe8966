import type { Page, Request } from "playwright-core";

type Figure = readonly [name: string, value: number, unit?: string];

/** Counts the requests of a page for series, and what they bring. */
export function loadsOf(page: Page): { readonly take: () => readonly Figure[] } {
  let counts = { requests: 0, aborted: 0, failed: 0, bytes: 0, largest: 0 };
  const isSeries = (request: Request) => request.url().includes("/series/");
  page.on("request", (request) => isSeries(request) && counts.requests++);
  page.on("requestfailed", (request) => isSeries(request) && counts.aborted++);
  page.on("response", (response) => isSeries(response.request()) && !response.ok() && counts.failed++);
  page.on("requestfinished", async (request) => {
    if (!isSeries(request)) return;
    const { responseBodySize } = await request.sizes();
    counts.bytes += responseBodySize;
    counts.largest = Math.max(counts.largest, responseBodySize);
  });
  const take = () => {
    const { requests, aborted, failed, bytes, largest } = counts;
    counts = { requests: 0, aborted: 0, failed: 0, bytes: 0, largest: 0 };
    return [
      ["requests", requests],
      ["requests aborted", aborted],
      ["requests refused or failed", failed],
      ["payload", bytes / 1_000, " KB"],
      ["largest payload", largest / 1_000, " KB"],
    ] as const;
  };
  return { take };
}
