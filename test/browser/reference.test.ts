import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tagGroups, tags } from "../../lib/openapi/tags.ts";
import { TestService } from "../support/service.ts";
import { launchChromium } from "./chromium.ts";
import { watchPage } from "./watch-page.ts";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const screenshot = (name: string) => `${import.meta.dirname}/screenshots/reference-${name}.png`;

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.start(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

let page: Page;
/** Script errors, policy violations, missing files and requests to other origins; must stay empty. */
let complaints: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  complaints = watchPage(page, service.baseUrl, ({ protocol }) => protocol === "data:");
});
afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

/** Opens the page, at an operation if one is given. */
async function open(operation = ""): Promise<void> {
  await page.goto(`${service.baseUrl}/docs${operation}`);
  await groupToggle("Health data").waitFor();
}

const groupToggle = (name: string) => page.getByRole("button", { name: `Group - ${name}`, exact: false }).first();
const title = (name: string): Locator => page.getByRole("heading", { name, exact: true });
const samples = (name: string): Locator => page.locator("section.section").filter({ has: title(name) });

/** Findings that keep people from using the page, by axe. */
async function seriousFindings(): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join()))`,
  );
}

/** Searches by keyboard alone, and opens the first result. */
async function openByKeyboard(text: string, result: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(text);
  await page.getByRole("option", { name: result }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await title(result).waitFor();
}

describe("the reference", () => {
  test("lists the operations of every tag, in the groups of the document", async () => {
    await open();
    const titleOf = (tag: string) => tags.find(({ name }) => name === tag)?.["x-displayName"] ?? tag;
    for (const group of tagGroups.slice(1)) await page.getByText(group.name, { exact: true }).first().click();
    for (const tag of tagGroups.flatMap((group) => group.tags)) await groupToggle(titleOf(tag)).waitFor();
    for (const tag of ["ingest", "orders", "management"])
      await page.getByText(titleOf(tag), { exact: true }).first().click();
    for (const name of ["Ingest samples and summaries of a user", "Cancel an order", "Create a team"])
      await page.getByRole("link", { name }).or(page.getByText(name)).first().waitFor();
    await page.screenshot({ path: screenshot("groups") });
  });

  test("finds an operation by its id and an event by its type, by keyboard alone", async () => {
    await open();
    await openByKeyboard("ingestBatch", "Ingest samples and summaries of a user");
    await page.getByText("Accepts up to 10,000 records").waitFor();
    await openByKeyboard("daily.data.sleep.created", "New data: sleep");
    await page.getByText("const: daily.data.sleep.created").first().waitFor();
    await page.screenshot({ path: screenshot("webhook") });
  });

  test("has samples in curl, TypeScript, Python and Go", async () => {
    await open("#tag/users/GET/v2/user");
    const list = samples("List users");
    await list.getByRole("button", { name: "Shell Curl" }).click();
    const options = await page.getByRole("option").allInnerTexts();
    expect(options.toSorted()).toEqual(["Curl", "NewRequest", "Requests", "TypeScript"]);
    await page.getByRole("option", { name: "TypeScript" }).click();
    await list.getByText("await fetch").waitFor();
    await page.screenshot({ path: screenshot("samples") });
  });
});

test("a request with the key of a team is answered, and the key stays in the memory of the tab", async () => {
  await service.createUser("someone to list");
  await open("#tag/users/GET/v2/user");
  await samples("List users")
    .getByRole("button", { name: /^Test Request/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByPlaceholder("Your key or token").fill(service.identity.api_key);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().startsWith(`${service.baseUrl}/v2/user`)),
    dialog.getByRole("button", { name: /^Send/ }).first().click(),
  ]);
  expect(answer.status()).toBe(200);
  await dialog.getByText("200 OK").waitFor();
  await dialog.getByText("someone to list").waitFor();
  expect(await seriousFindings()).toEqual([]);
  await page.screenshot({ path: screenshot("request") });
  const kept = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      await indexedDB.databases(),
      location.href,
    ]),
  );
  expect(kept).not.toContain(service.identity.api_key);
  await page.reload();
  await samples("List users")
    .getByRole("button", { name: /^Test Request/ })
    .click();
  expect(await dialog.getByPlaceholder("Your key or token").inputValue()).toBe("");
});

test.each([
  ["light", "light", 1280],
  ["dark", "dark", 1280],
  ["phone", "light", 375],
  ["phone-dark", "dark", 375],
] as const)("the %s theme has no serious finding and no horizontal scrolling", async (name, colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${service.baseUrl}/docs`);
  await title("Tributary").waitFor();
  await page.getByPlaceholder("Your key or token").waitFor();
  expect(await seriousFindings()).toEqual([]);
  await page.screenshot({ path: screenshot(`start-${name}`) });
  await page.goto(`${service.baseUrl}/docs#tag/ingest/POST/v2/ingest/{user_id}`);
  await page.reload();
  await page.getByText("Accepts up to 10,000 records").waitFor();
  await page
    .getByRole("button", { name: /^Test Request/ })
    .first()
    .waitFor();
  expect(await seriousFindings()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.screenshot({ path: screenshot(`operation-${name}`) });
});
