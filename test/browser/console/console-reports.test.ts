import { createCanvas } from "@napi-rs/canvas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  knownRows,
  parseReport,
  readJob,
  reportPdf,
  scannedPdf,
  unknownRow,
} from "../../local/service/lab-reports/report-helpers.ts";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await ConsoleWorld.start("reports-user");
}, 300_000);
afterAll(() => world?.stop());

/** Creates a report that waits for a review. @returns its id. */
async function waiting(files?: readonly Uint8Array[]): Promise<string> {
  const given = files ?? [await reportPdf([...knownRows, unknownRow])];
  const { id, status } = await parseReport(world.service, {
    user_id: world.userId,
    files: given,
    needs_human_review: true,
  });
  expect(status).toBe("pending_review");
  return id;
}

test("an admin finds a report that waits, corrects it beside its page, and accepts it", async () => {
  const id = await waiting();
  const { page, complaints } = await world.open("/orders");
  await page.getByRole("link", { name: id }).click();
  await page.getByText(/results, 1 to check/).waitFor();
  expect(await page.getByRole("img", { name: /^Page 1 of the report/ }).textContent()).toContain("Creatinine");
  const row = (name: string) =>
    page
      .getByRole("list", { name: "Results" })
      .getByRole("listitem")
      .filter({ has: page.locator("legend", { hasText: name }) });
  await row("Glucose").getByLabel("Value").fill("118");
  await row("Potassium").getByRole("button", { name: "Remove" }).click();
  await row("Zymothrexin").getByLabel("Another code").fill("creatinine urine");
  await row("Zymothrexin").getByRole("button", { name: "Find code" }).click();
  await page.getByText("Codes found.").waitFor();
  await page.getByRole("button", { name: "Add a result" }).click();
  const added = page.getByRole("list", { name: "Results" }).getByRole("listitem").last();
  await added.getByLabel("Test").fill("Added by hand");
  await added.getByLabel("Value").fill("Negative");
  await page.getByRole("button", { name: "Accept report" }).click();
  await page.getByText("Report accepted").waitFor();
  const { body } = await readJob(world.service, id);
  expect(body).toMatchObject({ status: "completed", is_reviewed: true });
  const read = new Map(body.data.results.map((one: { test_name: string }) => [one.test_name, one]));
  expect(read.get("Glucose")).toMatchObject({ value: "118" });
  expect([read.has("Potassium"), read.has("Added by hand")]).toEqual([false, true]);
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await page.getByText("No report waits").waitFor();
  expect(complaints).toEqual([]);
});

test("a clinician opens a report by its id, and reads why one that waits for nobody does not open", async () => {
  const { id } = await parseReport(world.service, { user_id: world.userId, files: [await reportPdf(knownRows)] });
  const { page } = await world.open("/orders", undefined, "clinician");
  await page.getByLabel("Review the report").fill(id);
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByText("This lab report is not pending review.").waitFor();
});

test("the text of a report is text, and never runs", async () => {
  const hostile = ["Hostile <img src=x onerror=window.canary=1>", "5", "", "mg/dL", "1-9"] as const;
  const id = await waiting([await reportPdf([...knownRows, hostile])]);
  const { page, complaints } = await world.open(`/orders/reports/${id}`);
  await page.getByRole("img", { name: /^Page 1 of the report/ }).waitFor();
  expect(await page.locator("legend", { hasText: "onerror" }).count()).toBe(1);
  expect(await page.evaluate("window.canary")).toBeUndefined();
  expect(await page.locator("#console img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a scan appears as it is, beside the data", async () => {
  const canvas = createCanvas(1700, 2200);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 1700, 2200);
  context.fillStyle = "#000000";
  context.font = "32px sans-serif";
  for (const [place, cells] of [["Test", "Result", "Flag", "Units", "Range"], ...knownRows].entries())
    for (const [column, text] of cells.entries())
      context.fillText(text, [120, 620, 800, 960, 1180][column] ?? 0, 320 + 60 * place);
  const picture = canvas.toBuffer("image/png");
  const scan = await waiting([await scannedPdf(picture)]);
  const { page, complaints } = await world.open(`/orders/reports/${scan}`);
  expect(await page.getByTitle("The original report").getAttribute("src")).toMatch(/^blob:/);
  const photo = await waiting([picture]);
  await page.goto(`${world.service.baseUrl}/console/orders/reports/${photo}`);
  const shown = page.getByRole("img", { name: "Page 1 of the report" });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1700);
  expect(complaints).toEqual([]);
});

describe.each(looks)("in the look %s", (...look) => {
  test("a review has no finding and fits its width", async () => {
    const id = await waiting();
    const { page, complaints } = await world.open(`/orders/reports/${id}`, look);
    await page.getByRole("img", { name: /^Page 1 of the report/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.screenshot({ path: screenshot(`report-${look[0]}`) });
    expect(complaints).toEqual([]);
  });
});
