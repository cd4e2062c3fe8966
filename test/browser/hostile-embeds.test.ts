import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { knownRows, openReview, parseReport, reportPdf } from "../local/service/lab-reports/report-helpers.ts";
import { createTeamWithReceiver, Receiver } from "../local/service/webhooks/webhook-receiver.ts";
import { TestService } from "../support/service.ts";
import { launchChromium } from "./chromium.ts";
import { expectOnlyText, poisonAnswers, type Reach } from "./hostile-answers.ts";

let service: TestService;
let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.start(), launchChromium()]);
  receiver = await Receiver.start(service, () => ({ status: 500, text: "no" }));
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await browser?.close();
  await service?.stop();
});

const heartRate = { heartrate: [{ timestamp: "2026-01-01T08:00:00Z", value: 60 }] };

async function linkPage(): Promise<string> {
  const user_id = await service.createUser(`links ${service.observed.size}`);
  return (await service.call("POST", "/v2/link/token", { body: { user_id } })).body.link_web_url;
}

async function portal(): Promise<string> {
  const key = await createTeamWithReceiver(service, receiver, { description: "Data warehouse" });
  await ingestBatch(service, await service.createUser("a user", key), heartRate, { key });
  return (await service.call("GET", "/v2/team/svix/url", { key })).body.url;
}

async function review(): Promise<string> {
  const user_id = await service.createUser(`reviewed ${service.observed.size}`);
  const files = [await reportPdf([...knownRows, ["Vitamin D, total", "31", "", "ng/mL", "30-100"]])];
  const { id } = await parseReport(service, { user_id, files, needs_human_review: true });
  return (await openReview(service, id)).url;
}

/** Opens a page whose every answer is hostile, and checks that it shows them as text. */
async function expectTexts(open: () => Promise<string>, reach: Reach): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const poisoned = await poisonAnswers(page, reach);
  await page.goto(await open());
  await page.waitForLoadState("networkidle");
  expect(poisoned()).toBeGreaterThan(0);
  await expectOnlyText(page);
  expect(errors).toEqual([]);
  await page.context().close();
}

describe.each<Reach>(["texts", "texts and tokens"])("answers whose %s are hostile", (reach) => {
  test("run nothing in the link page", () => expectTexts(linkPage, reach));
  test("run nothing in the webhook portal", () => expectTexts(portal, reach));
});

// Its status decides whether the page shows the report at all, so tokens stay.
test("answers whose texts are hostile run nothing in the review of a lab report", () => expectTexts(review, "texts"));
