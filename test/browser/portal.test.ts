import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { createTeamWithReceiver, Receiver } from "../local/service/webhooks/webhook-receiver.ts";
import { TestService } from "../support/service.ts";
import { launchChromium } from "./chromium.ts";
import { watchPage } from "./watch-page.ts";

const screenshot = (name: string) => `${import.meta.dirname}/screenshots/portal-${name}.png`;
const HOSTILE = "<img src=x onerror=alert(1)>";

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
/** Script errors, policy violations and requests to other hosts; must stay empty. */
let complaints: string[];
const receivers: Receiver[] = [];
beforeEach(async () => {
  page = await browser.newPage();
  complaints = watchPage(page, service.baseUrl);
});
afterEach(async () => {
  await page.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

/** Creates a team with two endpoints, of which one rejects its second message. @returns the address of its portal. */
async function team() {
  const receiver = await Receiver.start(service, (count) => (count === 2 ? { status: 422, text: HOSTILE } : 204));
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver, { description: "Warehouse" });
  const userId = await service.createUser("the user", key);
  const { team_id } = (await service.call("GET", `/v2/user/${userId}`, { key })).body;
  const body = {
    url: `${receiver.url}/${"long-".repeat(30)}`,
    disabled: true,
    filter_types: ["daily.data.sleep.created"],
  };
  await service.manage("POST", `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/webhook`, { body });
  for (const hour of [1, 2, 3]) {
    await ingestBatch(
      service,
      userId,
      { heartrate: [{ timestamp: `2026-01-01T0${hour}:00:00Z`, value: 60 }] },
      { key },
    );
  }
  return { receiver, key, url: (await service.call("GET", "/v2/team/svix/url", { key })).body.url as string };
}

async function open(url: string): Promise<void> {
  await page.goto(url);
  await page.getByText("Up to date").waitFor();
  await page.getByRole("button", { name: "Warehouse" }).click();
  await rows().nth(2).waitFor();
}

const rows = () => page.locator("#messages > li");
const fitsItsWidth = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test("the portal shows sent messages, opens by keyboard, and shows responses as text, whatever their content", async () => {
  const { url } = await team();
  await open(url);
  const lines = await rows().locator("summary").allInnerTexts();
  expect(lines.map((line) => /Delivered|Pending/.exec(line)?.[0])).toEqual(["Delivered", "Pending", "Delivered"]);
  expect(page.url()).not.toContain("#");
  await rows().nth(1).locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.getByText("HTTP 422").waitFor();
  expect(await page.getByRole("region", { name: "Response" }).textContent()).toBe(HOSTILE);
  expect(await page.locator("img").count()).toBe(0);
  await page.getByLabel("State").selectOption("Pending");
  await rows().nth(1).waitFor({ state: "detached" });
  expect(await rows().count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("the portal resends a message and sends a test event", async () => {
  const { url, receiver } = await team();
  await open(url);
  await rows().nth(1).locator("summary").click();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Sent again").waitFor();
  await rows().nth(1).getByText("2 attempts").waitFor();
  await page.getByText("HTTP 204").waitFor();
  expect(await rows().nth(1).getByText("Delivered").isVisible()).toBe(true);
  await page.getByLabel("Test event").fill("daily.data.sleep.created");
  await page.getByLabel("Test event").press("Enter");
  await rows()
    .first()
    .getByText(/^test_/)
    .waitFor();
  await rows().first().getByText("Delivered").waitFor();
  expect(receiver.received.at(-1)?.headers["webhook-id"]).toMatch(/^test_/);
  await page.getByLabel("Test event").fill("daily.data.nothing.created");
  await page.getByLabel("Test event").press("Enter");
  await page.getByText("not an event type").waitFor();
});

test("the portal survives a reload and reports an expired link", async () => {
  const { url } = await team();
  await open(url);
  await page.reload();
  await rows().nth(2).waitFor();
  await service.advance(3_601_000);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
  expect(await page.locator("#portal").isVisible()).toBe(false);
});

test.each([
  ["light", "light", 1100],
  ["dark", "dark", 1100],
  ["phone", "light", 375],
] as const)("the %s theme has no horizontal scrolling with an open message", async (name, colorScheme, width) => {
  const { url } = await team();
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 760 });
  await open(url);
  await rows().nth(1).locator("summary").click();
  await page.getByText("HTTP 422").waitFor();
  expect(await fitsItsWidth()).toBe(true);
  await page.screenshot({ path: screenshot(name), fullPage: true });
});
