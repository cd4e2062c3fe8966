import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setProvider } from "../../local/service/console/sign-in-helpers.ts";
import {
  orderRequest,
  patientAddress,
  sandboxLabTests,
  simulateOrder,
} from "../../local/service/orders/order-helpers.ts";
import { OpenIdPeer } from "../../support/peers/open-id-peer.ts";
import { ConsoleWorld } from "./console-world.ts";

/** A name that runs a script where a page takes it for markup. */
const CANARY = "<img src=x onerror=window.canary=1>";
const BOOKED = "?final_status=collecting_sample.at_home_phlebotomy.appointment_scheduled";

let world: ConsoleWorld;
let orderId: string;
beforeAll(async () => {
  world = await ConsoleWorld.start("has every canary");
  const { service, userId } = world;
  const draft = orderRequest(userId, {
    patient_address: { ...patientAddress, first_line: CANARY, city: CANARY, access_notes: CANARY },
    order_set: { lab_test_ids: [sandboxLabTests.at_home_phlebotomy] },
  });
  const placed = await service.call("POST", "/v3/order", { body: draft });
  expect([placed.status, placed.body.detail]).toEqual([200, undefined]);
  orderId = placed.body.order.id;
  await simulateOrder(service, orderId, BOOKED);
}, 300_000);
afterAll(() => world?.stop());

/** Checks that no canary ran, and that neither title, address nor storage holds one. */
async function staysText(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate("window.canary")).toBeUndefined();
  expect(await page.locator("#console img, #console script, #console svg[onload]").count()).toBe(0);
  const kept = await page.evaluate(() => JSON.stringify([document.title, { ...localStorage }, { ...sessionStorage }]));
  expect(kept + decodeURIComponent(page.url())).not.toMatch(/<img|Ada|Sample/);
}

describe("a canary is text, and never runs,", () => {
  test("in the names of a patient and the address of an appointment", async () => {
    // The API refuses markup in names, so the answer of the service gets them on its way.
    const { page, complaints } = await world.open("/orders");
    await page.route(`**/v3/order/${orderId}`, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(/"(Ada|Sample)"/g, JSON.stringify(CANARY));
      await route.fulfill({ response, body: text });
    });
    await page.goto(`${world.service.baseUrl}/console/orders/${orderId}`);
    await page.getByText(`${CANARY} ${CANARY}, born 1990-05-17`).waitFor();
    await page.getByText(`${CANARY}, ${CANARY}`).waitFor();
    await staysText(page);
    // An order without a result answers 404 for it.
    expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);
  });

  test("in the claims of a person who comes from a provider, here and in the list of sessions", async () => {
    const peer = await OpenIdPeer.start(`${world.service.baseUrl}/console/sign-in`);
    peer.changeClaims = (claims) => ({ ...claims, name: CANARY, email: CANARY, groups: [CANARY, "console-admins"] });
    const { sign_in_url } = await setProvider(world.service, peer);
    const page = await (await world.browser.newContext()).newPage();
    await page.goto(sign_in_url);
    await page.getByLabel("Account").fill("admin-1");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText(`${CANARY} (admin-1) · admin`).waitFor();
    await page.goto(`${world.service.baseUrl}/console/team/people`);
    await page.getByText("this session").waitFor();
    expect(await page.getByText(CANARY).count()).toBeGreaterThan(1);
    await staysText(page);
    await peer.stop();
  });
});
