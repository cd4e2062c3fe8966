import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type InboxServer, startInboxServer } from "../local/inbox/inbox-server.ts";
import { eventBody, NOW, signedWebhook, USER_ID } from "../local/inbox/signed-webhook.ts";
import { launchChromium } from "./chromium.ts";
import { watchPage } from "./watch-page.ts";

const screenshot = (name: string) => `${import.meta.dirname}/screenshots/inbox-${name}.png`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let server: InboxServer;
let page: Page;
/** Script errors, policy violations and requests to other hosts; must stay empty. */
let complaints: string[];

beforeEach(async () => {
  server = await startInboxServer();
  page = await browser.newPage();
  complaints = watchPage(page, server.origin);
});
afterEach(async () => {
  await page.close();
  await server.close();
});

async function open(): Promise<void> {
  await page.goto(`${server.origin}/_local/inbox/page`);
  await page.getByText("Live", { exact: true }).waitFor();
}

const receive = (eventType: string, data?: unknown) => server.inbox.receive(signedWebhook(eventBody(eventType, data)));
const rows = () => page.locator("#deliveries > li");
const countReads = (text: string) => page.locator("#count", { hasText: new RegExp(`^${text}$`) }).waitFor();
const fitsItsWidth = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test("an empty inbox shows a command that creates an event, with the inbox's own origin", async () => {
  await open();
  const example = await page.locator("#example").textContent();
  expect(example).toContain(`curl ${server.origin}/v2/ingest/$USER_ID`);
  expect(example).toMatch(/"timestamp": "\d{4}-\d\d-\d\dT[\d:.]+Z"/);
  expect(await page.getByRole("button", { name: "Clear" }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test("an empty inbox copies the command", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  await page.getByRole("button", { name: "Copy command" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("curl http://127.0.0.1");
});

describe("an event", () => {
  test("appears without a reload, newest first, with type, user, time and verification in words", async () => {
    await open();
    receive("daily.data.sleep.created");
    server.inbox.receive({ headers: {}, body: "no JSON" });
    await countReads("2 events");
    expect(await page.locator("#empty").isVisible()).toBe(false);
    const texts = await rows().locator("summary").allInnerTexts();
    expect(texts[0]).toMatch(/\(no event type\).*no user.*Not verified/s);
    expect(texts[1]).toMatch(/daily\.data\.sleep\.created.*Verified.*2026-03-01 12:00:00/s);
    expect(texts[1]).toContain(USER_ID);
    await page.getByRole("status").filter({ hasText: "2 new events" }).waitFor({ state: "attached" });
  });

  test("opens by keyboard and shows its body and headers as text, whatever their content", async () => {
    receive("x.created", { note: "<img src=x onerror=alert(1)>" });
    await open();
    await page.locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "svix-signature" }).waitFor();
    const body = await page.getByRole("region", { name: "Body" }).textContent();
    expect(JSON.parse(body ?? "").data).toEqual({ note: "<img src=x onerror=alert(1)>" });
    expect(body).toContain('\n  "event_type": "x.created"');
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator(".part").count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.keyboard.press("Enter");
    await page.locator(".content:empty").waitFor({ state: "attached" });
  });

  test("stays open and keeps the focus when other events arrive", async () => {
    receive("first.created");
    await open();
    await page.locator("summary").click();
    await page.getByRole("region", { name: "Body" }).waitFor();
    receive("second.created");
    await countReads("2 events");
    expect(await page.locator("details[open] summary:focus .type").textContent()).toBe("first.created");
    expect(await page.getByRole("region", { name: "Body" }).isVisible()).toBe(true);
  });

  test("with a very long body shows all of it, and lays out the visible part only", async () => {
    receive("daily.data.heartrate.created", Array(20_000).fill({ value: 60, unit: "bpm" }));
    await open();
    await page.locator("summary").click();
    const body = page.getByRole("region", { name: "Body" });
    expect(JSON.parse((await body.textContent()) ?? "").data).toHaveLength(20_000);
    const lastHeight = () => body.evaluate((box) => box.lastElementChild?.getBoundingClientRect().height);
    const placeholder = 4800; // contain-intrinsic-size
    await expect.poll(lastHeight).toBe(placeholder);
    await body.press("End");
    await expect.poll(lastHeight).not.toBe(placeholder);
  });
});

describe("the list", () => {
  test("can be filtered by the prefix of the event type", async () => {
    for (const type of ["daily.data.sleep.created", "daily.data.steps.created", "labtest.order.created"]) receive(type);
    await open();
    await page.getByLabel("Event type starts with").fill("daily.data.s");
    await countReads("2 of 3 events");
    expect(await rows().locator(".type").allInnerTexts()).toEqual([
      "daily.data.steps.created",
      "daily.data.sleep.created",
    ]);
    await page.getByLabel("Event type starts with").fill("nothing");
    await page.getByText("No event type starts with “nothing”.").waitFor();
    expect(await rows().count()).toBe(0);
  });

  test("pauses, and shows the waiting events after the pause", async () => {
    receive("first.created");
    await open();
    await page.getByRole("button", { name: "Pause" }).click();
    receive("second.created");
    await countReads("1 event · paused, 1 waiting");
    expect(await rows().count()).toBe(1);
    await page.getByRole("button", { name: "Resume" }).click();
    await countReads("2 events");
  });

  test("is cleared together with the inbox", async () => {
    receive("first.created");
    await open();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No events yet").waitFor();
    expect(server.inbox.list()).toEqual([]);
  });

  test("loses the events of a type that is cleared", async () => {
    for (const type of ["a.created", "b.created", "a.updated"]) receive(type);
    await open();
    await countReads("3 events");
    server.inbox.clear({ eventType: "a.created" });
    await countReads("2 events");
    server.inbox.clear({ eventType: "a." });
    await countReads("1 event");
    expect(await rows().locator(".type").allTextContents()).toEqual(["b.created"]);
  });

  test("holds at most 500 rows", async () => {
    for (let number = 0; number < 1_200; number += 1) receive(`number.${number}`);
    await open();
    await countReads("1,200 events · newest 500 shown");
    expect(await rows().count()).toBe(500);
    expect(await rows().locator(".type").first().textContent()).toBe("number.1199");
    await page.getByLabel("Event type starts with").fill("number.7");
    await countReads("111 of 1,200 events");
  });

  test("shows the events of a lost connection after reconnecting", async () => {
    receive("before.created");
    await open();
    const port = Number(new URL(server.origin).port);
    await server.close();
    await page.getByText("Disconnected, reconnecting…").waitFor();
    server = await startInboxServer({ port, nowMs: NOW + 60_000 });
    receive("after.created");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("after.created").waitFor();
    expect(await rows().count()).toBe(1);
  });
});

test.each([
  ["light", "light", 1100],
  ["dark", "dark", 1100],
  ["phone", "light", 375],
] as const)("the %s theme has no horizontal scrolling with open events", async (name, colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 760 });
  await open();
  expect(await fitsItsWidth()).toBe(true);
  await page.screenshot({ path: screenshot(`${name}-empty`) });
  for (const type of ["provider.connection.created", "historical.data.body.created", "x".repeat(200)]) receive(type);
  server.inbox.receive({ headers: { "x-long": "y".repeat(400) }, body: eventBody("unsigned.created") });
  receive("daily.data.blood_oxygen.created", { samples: [{ value: 97, unit: "%" }], key: "z".repeat(400) });
  await countReads("5 events");
  await rows().first().locator("summary").click();
  await page.getByRole("region", { name: "Body" }).waitFor();
  await rows().nth(1).locator("summary").click();
  await page.getByText("y".repeat(400)).waitFor();
  expect(await fitsItsWidth()).toBe(true);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: screenshot(name), fullPage: true });
});
