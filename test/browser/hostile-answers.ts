import type { Page } from "playwright-core";
import { expect } from "vitest";
import { HOSTILE } from "./console/console-world.ts";

/** Which texts of an answer become hostile: free text, or tokens such as statuses and names of fields too. */
export type Reach = "texts" | "texts and tokens";

/** Ids, instants and days: a view needs them to ask further. */
const KEPT = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d(?:T[\d:.+Z-]*)?|\d+)$/i;
/** What the page may look up, such as a status, the name of a resource or a part of a cursor. */
const TOKEN = /^[\w.:/+=-]*$/;
/** Attributes whose members have names that a caller chose. */
const MAPS = new Set(["headers", "custom_headers"]);

/** Replaces the texts of an answer by hostile ones. The present text stays in front, so that a person would not notice. */
function poison(value: unknown, reach: Reach, name = ""): unknown {
  if (typeof value === "string") return poisonText(value, reach);
  if (Array.isArray(value)) return value.map((one) => poison(one, reach));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, poison(inner, reach, key)] as const);
  return Object.fromEntries(MAPS.has(name) ? [...entries, [HOSTILE, HOSTILE]] : entries);
}

function poisonText(text: string, reach: Reach): string {
  if (KEPT.test(text) || (reach === "texts" && TOKEN.test(text))) return text;
  return /^https?:/.test(text) ? `javascript:window.canary=1//${text}${HOSTILE}` : `${text} ${HOSTILE}`;
}

/** The session decides what the page may ask, so its tokens stay. */
const SESSION = "/console/session";

/** Lets every answer of the service to the page arrive with hostile texts. @returns how many did. */
export async function poisonAnswers(page: Page, reach: Reach): Promise<() => number> {
  let count = 0;
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "fetch") return route.continue();
    const response = await route.fetch();
    if (!/json/.test(response.headers()["content-type"] ?? "")) return route.fulfill({ response });
    const isSession = route.request().url().includes(SESSION);
    const body = JSON.stringify(poison(await response.json(), isSession ? "texts" : reach));
    count += 1;
    return route.fulfill({ response, body });
  });
  return () => count;
}

/** Checks that the page shows a hostile text as text, and that none ran or became a part of the page. */
export async function expectOnlyText(page: Page): Promise<void> {
  await page.getByText("<img src=x").locator("visible=true").first().waitFor();
  expect(await page.evaluate("window.canary")).toBeUndefined();
  const made = page.locator("body :is(img[src=x], script:not([src]), svg[onload], [href^='javascript:' i])");
  expect(await made.count()).toBe(0);
}
