import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilUnchanged } from "../until-unchanged.ts";
import { ConsoleWorld } from "./console-world.ts";

const DAY_MS = 86_400_000;
/** Delay of answers that a view does not wait for. */
const ANSWER_MS = 5_000;

let world: ConsoleWorld;
beforeAll(async () => {
  world = await ConsoleWorld.start("plotted-user");
  await world.seed();
}, 300_000);
afterAll(() => world?.stop());

/** Opens the plot of the ten days before a week ago, and waits until it is complete. */
async function openPlot() {
  const to = Math.floor(world.service.cloud.clock.now() / DAY_MS) * DAY_MS - 7 * DAY_MS;
  const [from, end] = [to - 10 * DAY_MS, to].map((ms) => new Date(ms).toISOString());
  const { page, complaints } = await world.open(
    `/users/${world.userId}/data?resource=heartrate&from=${from}&to=${end}`,
  );
  const requests: string[] = [];
  const aborted: string[] = [];
  await settled(page);
  page.on("request", (request) => request.url().includes("/series/") && requests.push(request.url()));
  page.on("requestfailed", (request) => request.url().includes("/series/") && aborted.push(request.url()));
  return { page, complaints, requests, aborted, width: await page.locator(".u-over").evaluate((it) => it.clientWidth) };
}

async function settled(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Oura, ring/ }).waitFor();
  await page.waitForTimeout(800);
  await page.getByText("Loading…").waitFor({ state: "detached" });
}

const rangeOf = (page: Page) => {
  const query = new URL(page.url()).searchParams;
  return { from: Date.parse(query.get("from") ?? ""), to: Date.parse(query.get("to") ?? "") };
};

/** Presses the pointer in the plot, and reports moves of it, all of them within one frame. */
async function dragAtOnce(page: Page, moves: number, pixels: number): Promise<void> {
  const box = await page.locator(".u-over").boundingBox();
  if (!box) throw new Error("no plot");
  const x = box.x + box.width / 2;
  await page.mouse.move(x, box.y + box.height / 2);
  await page.mouse.down();
  await page.locator(".u-over").evaluate(
    (element, given) => {
      for (let move = 1; move <= given.moves; move++)
        element.dispatchEvent(
          new PointerEvent("pointermove", { pointerId: 1, clientX: given.x + move * given.pixels }),
        );
    },
    { x, moves, pixels },
  );
  await page.waitForTimeout(100);
  await page.mouse.up();
}

test("a drag moves the range as far as the pointer, however many moves a frame has", async () => {
  const { page, complaints, width } = await openPlot();
  const before = rangeOf(page);
  await dragAtOnce(page, 20, 10);
  await settled(page);
  const after = rangeOf(page);
  const expected = ((before.to - before.from) * 200) / width;
  expect(Math.abs(before.from - after.from - expected)).toBeLessThan(expected * 0.02);
  expect(complaints).toEqual([]);
});

test("the plot draws at most two points a pixel, whatever number of samples they stand for", async () => {
  const { page, width } = await openPlot();
  for (const scale of ["Day", "Week", "Quarter"]) {
    await page.getByRole("button", { name: scale, exact: true }).click();
    await settled(page);
    const note = (await page.getByText(/points of [\d,]+ samples/).innerText()).replaceAll(",", "");
    const [, points = "", samples = ""] = note.match(/(\d+) points of (\d+) samples/) ?? [];
    expect(Number(points)).toBeGreaterThan(0);
    expect(Number(points)).toBeLessThanOrEqual(2 * width);
    expect(Number(samples)).toBeGreaterThanOrEqual(Number(points));
  }
});

test("a pan by less than a tile makes at most one request, and the same pan back none", async () => {
  const { page, requests, complaints } = await openPlot();
  await dragAtOnce(page, 20, 10);
  await settled(page);
  expect(requests.length).toBeLessThanOrEqual(1);
  const known = requests.length;
  await dragAtOnce(page, 20, -10);
  await settled(page);
  expect(requests.length).toBe(known);
  expect(complaints).toEqual([]);
});

test("requests that a view no longer needs are aborted, and the view that rests becomes complete", async () => {
  const { page, requests, aborted } = await openPlot();
  await page.route("**/series/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("button", { name: "Day", exact: true }).click();
  await untilUnchanged(page, () => requests.length);
  const stale = requests.slice();
  expect(stale.length).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Quarter", exact: true }).click();
  await settled(page);
  expect(aborted.toSorted()).toEqual(stale.toSorted());
  await page.unroute("**/series/**");
});
