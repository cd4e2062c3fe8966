import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await ConsoleWorld.start("without-data");
}, 300_000);
afterAll(() => world?.stop());

const user = () => `/users/${world.userId}`;

/** Views of a team in which nothing has happened, and what they say. */
const empty: readonly (readonly [name: string, place: () => string, says: string | RegExp])[] = [
  ["overview", () => "", "No events in the last 30 days"],
  ["events", () => "/events", /No events/],
  ["orders", () => "/orders", "Nothing to decide"],
  ["user", user, "Nothing is connected"],
  ["data", () => `${user()}/data`, "No samples yet"],
  ["day", () => `${user()}/day`, /Steps/],
  ["why", () => `${user()}/why`, "No source has sent any for this day."],
  ["deletions", () => "/team/deletions", "No deletion waits"],
  ["nowhere", () => "/nowhere", "There is no such view"],
];

/** Views of a person who may not see data of users. */
const closed = ["/users", "/events", "/orders", "/webhooks", "/team/keys", "/team/deletions"];

async function look(page: Page, name: string, how: string): Promise<void> {
  expect(await findings(page)).toEqual([]);
  expect(await fitsItsWidth(page)).toBe(true);
  await page.screenshot({ path: screenshot(`${name}-${how}`), fullPage: true });
}

describe.each(looks)("in the look %s", (...shown) => {
  const [how] = shown;

  test.each(empty)("the view %s says what would fill it", async (name, place, says) => {
    const { page } = await world.open(place(), shown);
    await page.getByText(says).first().waitFor();
    await page.waitForLoadState("networkidle");
    await look(page, `empty-${name}`, how);
    await page.context().close();
  });

  test("a person without the permission reads so in every view", async () => {
    const { page } = await world.open("", shown, "reader");
    for (const place of closed) {
      await page.goto(`${world.service.baseUrl}/console${place}`);
      await page
        .getByText(/Your session may not see this|This part is for admins/)
        .first()
        .waitFor();
      await look(page, `closed${place.replaceAll("/", "-")}`, how);
    }
  });

  test("a list that loads has lines in its place, and one that fails a button", async () => {
    const { page } = await world.open("/team", shown);
    await page.route("**/console/user_search?*", () => undefined);
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await look(page, "loading", how);
    await page.unrouteAll();
    await page.route("**/v3/orders?*", (route) =>
      route.fulfill({ status: 500, json: { detail: "Something failed.", code: "internal", request_id: "r-4711" } }),
    );
    await page.getByRole("link", { name: "Orders" }).click();
    await page.getByText("request r-4711").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await look(page, "failed", how);
  });

  test("the palette and the question before a deletion have no finding", async () => {
    const { page } = await world.open(user(), shown);
    await page.getByText("Nothing is connected").waitFor();
    await page.getByRole("button", { name: "Delete the user" }).click();
    await look(page, "question", how);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^Overview/ }).waitFor();
    await look(page, "palette", how);
  });
});

test("a phone shows who is signed in, in which role and zone, and signs out", async () => {
  const { page } = await world.open("", looks[2], "support", "Night desk");
  await page.getByText("Night desk · support").waitFor();
  expect(await page.getByText("Europe/Madrid").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Key or token").waitFor();
  await page.context().close();
});

test("a long id breaks in the list of users, and leaves the other columns in sight", async () => {
  await world.service.createUser("x".repeat(210));
  const { page } = await world.open("/users");
  const cell = page.getByRole("cell", { name: "x".repeat(210) });
  expect((await cell.boundingBox())?.width).toBeLessThan(500);
  const frame = await page.getByRole("group", { name: "Users" }).evaluate((one) => one.scrollWidth <= one.clientWidth);
  expect(frame).toBe(true);
  await page.context().close();
});

test("a day that no calendar has is said to be none, in the address of a day and of a number", async () => {
  const { page, complaints } = await world.open(`${user()}/day/2026-13-45`);
  await page.getByText("There is no such day").waitFor();
  await page.getByRole("link", { name: "Go to the last day" }).click();
  await page.getByText("With the evening before.").waitFor();
  await page.goto(`${world.service.baseUrl}/console${user()}/why?day=2026-02-30`);
  await page.getByText("There is no such day").waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a printed view has its content and neither navigation nor buttons", async () => {
  const { page } = await world.open("/team", looks[1]);
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("heading", { name: "Source priorities" }).isVisible()).toBe(true);
  expect(await page.getByRole("navigation", { name: "Views" }).isVisible()).toBe(false);
  expect(await page.getByRole("button").count()).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  await page.screenshot({ path: screenshot("print"), fullPage: true });
});
