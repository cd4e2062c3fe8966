import { gzipSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderRequest, simulateOrder } from "../../local/service/orders/order-helpers.ts";
import { untilUnchanged } from "../until-unchanged.ts";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

/** The limit of the script that the first load needs, compressed. */
const MAX_SCRIPT_BYTES = 150 * 1024;

let world: ConsoleWorld;
let orderId: string;
beforeAll(async () => {
  world = await ConsoleWorld.start("demo-user");
  await world.seed();
  const answer = await world.service.call("POST", "/v3/order", { body: orderRequest(world.userId) });
  orderId = answer.body.order.id;
  await simulateOrder(world.service, orderId, "", { interpretation: "abnormal" });
}, 300_000);
afterAll(() => world?.stop());

/** Yesterday in UTC, a day with all of its data. */
const yesterday = () => new Date(world.service.cloud.clock.now() - 86_400_000).toISOString().slice(0, 10);
const user = () => `/users/${world.userId}`;

/** Each view: its address, and what it shows once everything is there. */
const views: readonly (readonly [name: string, place: () => string, shows: (page: Page) => Promise<void>])[] = [
  ["overview", () => "", (page) => page.getByText("Estimated cost").first().waitFor()],
  ["team", () => "/team/people", (page) => page.getByText("this session").waitFor()],
  ["users", () => "/users", (page) => page.getByRole("link", { name: "demo-user" }).waitFor()],
  ["user", user, (page) => page.getByText("connected", { exact: true }).nth(2).waitFor()],
  ["data", () => `${user()}/data`, (page) => page.getByRole("button", { name: /Oura, ring/ }).waitFor()],
  ["day", () => `${user()}/day/${yesterday()}`, (page) => page.getByText("Sleep, Oura, ring").waitFor()],
  ["why", () => `${user()}/why?day=${yesterday()}`, (page) => page.getByText("ranks above").first().waitFor()],
  ["events", () => "/events?sequence=1", (page) => page.getByText("HTTP 204").waitFor()],
  ["orders", () => "/orders", (page) => page.getByText("1 order", { exact: true }).waitFor()],
  ["order", () => `/orders/${orderId}`, (page) => page.getByText("Simulated laboratory").waitFor()],
  ["webhooks", () => "/webhooks", (page) => page.getByText("Inbox of this machine").waitFor()],
];

describe.each(looks)("in the look %s", (...look) => {
  test.each(views)("the view %s has no finding, nothing sideways and no error", async (name, place, shows) => {
    const { page, complaints } = await world.open(place(), look);
    await shows(page);
    await page.waitForLoadState("networkidle");
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.screenshot({ path: screenshot(`${name}-${look[0]}`), fullPage: true });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test("the script of the first load stays below its limit", async () => {
  const page = await (await fetch(`${world.service.baseUrl}/console`)).text();
  const [script = ""] = page.match(/\/console\/assets\/[\w.]+\.js/) ?? [];
  const text = await (await fetch(world.service.baseUrl + script)).text();
  const bytes = gzipSync(text).length;
  console.info(`first load: ${(bytes / 1024).toFixed(1)} KB of compressed script`);
  expect(bytes).toBeGreaterThan(10 * 1024);
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
});

describe("by keyboard alone", () => {
  test("the palette opens a view, and the arrow keys a user of the list", async () => {
    const { page, complaints } = await world.open("/events");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("users");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "demo-user" }).waitFor();
    await page.getByRole("group", { name: "Users" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Connections" }).waitFor();
    expect(page.url()).toContain(user());
    expect(complaints).toEqual([]);
  });

  test("the palette opens each part of a user and of the team, and shows the command that is chosen", async () => {
    const { page } = await world.open(user());
    await page.getByRole("heading", { name: "Connections" }).waitFor();
    await page.keyboard.press("Control+k");
    for (let step = 0; step < 30; step++) await page.keyboard.press("ArrowDown");
    const list = page.getByRole("listbox", { name: "Results" });
    const last = list.getByRole("option", { selected: true });
    expect(await last.innerText()).toContain("Sign out");
    const [own, all] = await Promise.all([last.boundingBox(), list.boundingBox()]);
    expect(own && all && own.y + own.height <= all.y + all.height + 1).toBe(true);
    await page.keyboard.type("why this");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What it was before" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("deletions");
    await page.keyboard.press("Enter");
    await page.getByText("No deletion waits").waitFor();
  });

  test("the palette finds a user by the client user id", async () => {
    const { page } = await world.open("/users");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("demo-user");
    await page.getByRole("option", { name: /User demo-user/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Connections" }).waitFor();
  });
});

describe("the plot", () => {
  test("pans by keys, asks for new tiles only, and names the range in the address", async () => {
    const { page, complaints } = await world.open(`${user()}/data?resource=heartrate`);
    const tiles: string[] = [];
    page.on("request", (request) => request.url().includes("/series/") && tiles.push(request.url()));
    await page.getByRole("button", { name: /Oura, ring/ }).waitFor();
    const before = await page.locator(".range-line").innerText();
    await page.getByRole("group", { name: "Plot" }).focus();
    for (let step = 0; step < 60; step++) await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/from=/);
    expect(await page.locator(".range-line").innerText()).not.toBe(before);
    const panBack = async () => {
      for (const name of ["Later", "Earlier"]) {
        await page.getByRole("button", { name }).click();
        await untilUnchanged(page, () => tiles.length);
      }
    };
    await panBack();
    const known = tiles.length;
    await panBack();
    expect(tiles.length).toBe(known);
    expect(known).toBe(new Set(tiles).size);
    expect(known).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  test("hides a source, and the table and the export follow", async () => {
    const { page } = await world.open(`${user()}/data?resource=steps`);
    const phone = page.getByRole("button", { name: "Apple HealthKit, phone" });
    await phone.click();
    expect(await phone.getAttribute("aria-pressed")).toBe("false");
    const table = page.getByRole("group", { name: "Points" });
    await table.getByRole("cell", { name: "Apple HealthKit, phone" }).first().waitFor({ state: "detached" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const rows = (await (await download.createReadStream()).toArray()).join("").trim().split("\r\n");
    expect(download.suggestedFilename()).toBe("steps.csv");
    expect(rows[0]).toBe("time,provider,type,device_id,app_id,kind,min,max,mean,count,unit");
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.slice(1).every((row) => row.includes(",watch,"))).toBe(true);
  });

  test("is exported as Parquet, with the values of the table, by a file that loads with the first export", async () => {
    const { page, complaints } = await world.open(`${user()}/data?resource=steps`);
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
    const table = page.getByRole("group", { name: "Points" });
    await table.getByRole("row").nth(50).waitFor();
    await page.waitForLoadState("networkidle");
    expect(scripts).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export Parquet" }).click(),
    ]);
    expect(scripts).toEqual([expect.stringMatching(/parquet\.[0-9a-f]{16}\.js$/)]);
    expect(download.suggestedFilename()).toBe("steps.parquet");
    const content = Buffer.concat(await (await download.createReadStream()).toArray());
    const file = content.buffer.slice(content.byteOffset, content.byteOffset + content.length) as ArrayBuffer;
    const rows = (await parquetReadObjects({ file })).toReversed();
    const shown = await table
      .getByRole("row")
      .evaluateAll((all) =>
        all.slice(1).map((row) => [...row.querySelectorAll("td")].map(({ textContent }) => textContent ?? "")),
      );
    const numberIn = (text = "") => Number(text.replaceAll(/[^\d.]/g, ""));
    expect(rows.length).toBeGreaterThanOrEqual(shown.length);
    for (const [at, [, total, least, most, samples]] of shown.entries()) {
      const { min, max, mean, count } = rows[at] ?? {};
      expect([mean * count, min, max, count].map(Math.round)).toEqual([total, least, most, samples].map(numberIn));
    }
    expect(rows[0]).toMatchObject({ time: expect.any(Date), kind: null, unit: "count" });
    expect(complaints).toEqual([]);
  });
});

test("a total leads to its explanation, with the value before the data came", async () => {
  const { page } = await world.open(`${user()}/day/${yesterday()}`);
  const total = page.getByRole("link", { name: /^Steps/ });
  const value = await total.locator("strong").innerText();
  await total.click();
  await page.getByRole("heading", { name: `Steps on ${yesterday()}: ${value}` }).waitFor();
  const sources = page.getByRole("group", { name: "Sources" });
  await sources.getByRole("cell", { name: "counts", exact: true }).waitFor();
  expect(await sources.getByRole("row").filter({ hasText: "counts" }).innerText()).toContain(value);
  expect(await sources.getByRole("row").filter({ hasText: "set aside" }).innerText()).toContain("ranks above");
  await page.getByRole("button", { name: "Compute" }).click();
  await page.getByText("changed since the row below").waitFor();
});

test("an event is sent again, and new events appear without reloading", async () => {
  const { page } = await world.open("/events?sequence=1");
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Sent again.").waitFor();
  await page.locator(".attempts li").nth(1).waitFor();
  await world.service.call("POST", "/v2/link/connect/demo", {
    body: { user_id: await world.service.createUser("another"), provider: "fitbit" },
  });
  await world.service.settle();
  await page.getByRole("link", { name: "provider.connection.created" }).nth(3).waitFor();
});
