import { readFileSync } from "node:fs";
import { createCanvas } from "@napi-rs/canvas";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  knownRows,
  openReview,
  parseReport,
  readJob,
  reportPdf,
  scannedPdf,
  unknownRow,
} from "../local/service/lab-reports/report-helpers.ts";
import { TestService } from "../support/service.ts";
import { launchChromium } from "./chromium.ts";
import { watchPage } from "./watch-page.ts";

const screenshot = (name: string) => `${import.meta.dirname}/screenshots/lab-report-review-${name}.png`;
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
/** A report whose text is HTML markup. */
const hostile = ["Hostile <img src=x onerror=alert(1)>", "5", "", "mg/dL", "1-9"] as const;

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
beforeEach(async () => {
  page = await browser.newPage();
  // The browser's document viewer is a page too.
  complaints = watchPage(page, service.baseUrl, ({ protocol }) => !protocol.startsWith("http"));
});
afterEach(() => page.close());

/** Creates a report that waits for a review. */
async function waiting(name: string, files?: readonly Uint8Array[]) {
  const user_id = await service.createUser(name);
  const given = files ?? [await reportPdf([...knownRows, unknownRow])];
  const job = await parseReport(service, { user_id, files: given, needs_human_review: true });
  expect(job.status).toBe("pending_review");
  return { user_id, job, ...(await openReview(service, job.id)) };
}

async function open(url: string): Promise<void> {
  await page.goto(url);
  await page.getByText(/^\d+ results?, \d+ to check$/).waitFor();
}

const rows = () => page.locator("#rows > li");
const rowOf = (name: string) => rows().filter({ has: page.locator("legend", { hasText: name }) });
const fitsItsWidth = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

/** Violations that axe finds. The script of axe bypasses the page's policy. */
async function breaches(): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join()))",
  );
}

test("a reviewer corrects an uploaded report beside its page and accepts it", async () => {
  const { job, url } = await waiting("reviewed on the page");
  await open(url);
  expect(page.url()).not.toContain("#");
  const drawing = page.getByRole("img", { name: /^Page 1 of the report/ });
  expect(await drawing.textContent()).toContain("Creatinine");
  expect(await page.locator(".doubtful").count()).toBe(1);
  expect(await rowOf("Zymothrexin").getByText("No code was found for this test").isVisible()).toBe(true);
  await rowOf("Glucose").getByLabel("Value").fill("118");
  await page.screenshot({ path: screenshot("open") });
  await rowOf("Potassium").getByRole("button", { name: "Remove" }).click();
  await rowOf("Zymothrexin").getByLabel("Another code").fill("creatinine urine");
  await rowOf("Zymothrexin").getByLabel("Another code").press("Enter");
  await page.getByText(/^\d+ codes? found$/).waitFor();
  const codes = rowOf("Zymothrexin").getByLabel("LOINC code");
  const code = await codes.locator("option").nth(1).getAttribute("value");
  await codes.selectOption(code ?? "");
  await page.getByRole("button", { name: "Add a result" }).click();
  const added = rows().last();
  await added.getByLabel("Test").fill("Added by hand");
  await added.getByLabel("Value").fill("Negative");
  await added.getByLabel("Interpretation").selectOption("normal");
  await page.getByLabel("Laboratory").fill("Corrected Laboratory");
  await page.getByRole("button", { name: "Accept report" }).click();
  await page.getByRole("heading", { name: "Report accepted" }).waitFor();
  const { body } = await readJob(service, job.id);
  expect(body).toMatchObject({ status: "completed", is_reviewed: true });
  expect(body.data.metadata.lab_name).toBe("Corrected Laboratory");
  const said = new Map(body.data.results.map((row: { test_name: string }) => [row.test_name, row]));
  expect(said.get("Glucose")).toMatchObject({ value: "118" });
  expect(said.has("Potassium")).toBe(false);
  expect(said.get("Zymothrexin")).toMatchObject({ loinc_matches: [{ loinc_code: code }] });
  expect(said.get("Added by hand")).toMatchObject({ value: "Negative", interpretation: "normal" });
  expect(complaints).toEqual([]);
});

test("the page shows report content as text, whatever its content", async () => {
  const { url } = await waiting("hostile report", [await reportPdf([...knownRows, hostile])]);
  await open(url);
  expect(await page.locator("legend", { hasText: "onerror" }).count()).toBe(1);
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the page shows images unchanged", async () => {
  const { url } = await waiting("of a picture", [picture()]);
  await open(url);
  const shown = page.getByRole("img", { name: "Page 1 of the report" });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1700);
  await page.screenshot({ path: screenshot("picture") });
  expect(complaints).toEqual([]);
});

test("the page shows a PDF of images unchanged", async () => {
  const { url } = await waiting("of a scan", [await scannedPdf(picture())]);
  await open(url);
  const frame = page.getByTitle("The original report");
  expect(await frame.getAttribute("src")).toMatch(/^blob:/);
  expect(await page.locator("svg").count()).toBe(0);
  await page.screenshot({ path: screenshot("scan") });
  expect(complaints).toEqual([]);
});

test("the page reports an accepted report and an expired link", async () => {
  const { url, ask } = await waiting("accepted twice");
  await open(url);
  const { version, data } = (await ask("GET", "report")).body;
  expect((await ask("POST", "accept", { version, metadata: data.metadata, results: [] })).status).toBe(200);
  await page.getByRole("button", { name: "Accept report" }).click();
  await page.getByText("The report has already been accepted.").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Report accepted" }).waitFor();
  await service.advance(13 * 3_600_000);
  await page.reload();
  await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
});

test.each([
  ["light", "light", 1400],
  ["dark", "dark", 1400],
  ["phone", "light", 375],
] as const)(
  "the %s theme has no horizontal scrolling and no accessibility violation that axe finds",
  async (name, colorScheme, width) => {
    const [first, ...others] = knownRows;
    const file = await reportPdf([first!, ["Quorvalin", "3.1", "", "mg/dL", "1.0-4.0"], ...others]);
    const { url } = await waiting(`look ${name}`, [file]);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await open(url);
    await rowOf("Quorvalin").getByLabel("Value").focus();
    expect(await fitsItsWidth()).toBe(true);
    expect(await breaches()).toEqual([]);
    await page.screenshot({ path: screenshot(name) });
  },
);

/** A letter page at 200 dpi. */
function picture(): Uint8Array {
  const canvas = createCanvas(1700, 2200);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 1700, 2200);
  context.fillStyle = "#000000";
  context.font = "32px sans-serif";
  context.fillText("Example Reference Laboratory    Patient Name: Ada Sample    DOB: 05/17/1990", 120, 150);
  const table = [["Test", "Result", "Flag", "Units", "Reference Range"], ...knownRows, unknownRow];
  for (const [place, cells] of table.entries()) {
    for (const [column, text] of cells.entries())
      context.fillText(text, [120, 620, 800, 960, 1180][column] ?? 0, 320 + 60 * place);
  }
  return canvas.toBuffer("image/png");
}
