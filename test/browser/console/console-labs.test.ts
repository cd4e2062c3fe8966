import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderRequest, patientDetails, simulateOrder } from "../../local/service/orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
} from "../../local/service/results/result-helpers.ts";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
let send: ReturnType<typeof createLabSender>;
/** Orders of one user: two with the same markers, and one with an appointment at home. */
let [first, second, visit] = ["", "", ""];
const DAY_MS = 86_400_000;

beforeAll(async () => {
  world = await ConsoleWorld.start("labs-user");
  const { service, userId } = world;
  const place = async (more = {}) =>
    (await service.call("POST", "/v3/order", { body: orderRequest(userId, more) })).body.order.id;
  first = await place();
  await simulateOrder(service, first, "", { interpretation: "normal" });
  await service.advance(3 * DAY_MS);
  second = await place();
  await simulateOrder(service, second, "", { interpretation: "abnormal" });
  visit = await place({ order_set: { lab_test_ids: ["00000000-0000-4000-9000-000000000003"] } });
  await simulateOrder(service, visit, "?final_status=collecting_sample.at_home_phlebotomy.appointment_scheduled");
  send = createLabSender(service, await createLabKey(service));
}, 300_000);
afterAll(() => world?.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A report of a patient that fits no sample id. */
const report = async (control: string, last_name: string) => {
  expect((await send(createOruMessage({ control, last_name, value: "200" }))).code).toBe("AA");
  await world.service.settle();
};

test("a clinician gives a report to the order that it fits, and the order has its result", async () => {
  const patient = { patient_details: { ...patientDetails, last_name: "Fitting" } };
  const order = await createOpenOrder(world.service, world.userId, patient);
  await report("V1", "Fitting");
  const { page, complaints } = await world.open("/orders", undefined, "clinician");
  await page.getByRole("link", { name: /The name and date of birth match the order/ }).click();
  await page.getByText("Ada Fitting, born 1990-05-17").waitFor();
  await page.getByLabel(/^Note/).fill("She called.");
  await button(page, `It is the order ${order.id}`).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "It is this order" }).click();
  await page.getByText("Accept: She called.").waitFor();
  expect(await button(page, "Reject the result").count()).toBe(0);
  await page.getByRole("link", { name: order.id }).click();
  await page.getByRole("cell", { name: "Glucose" }).waitFor();
  await page.getByRole("list", { name: "Steps of the order" }).getByText("Completed").waitFor();
  expect(complaints).toEqual([]);
});

test("a clinician rejects a report that no order fits, and finds it among all reviews", async () => {
  await report("V2", "Nobody");
  const { page } = await world.open("/orders", undefined, "clinician");
  await page.getByRole("link", { name: /No order matches/ }).click();
  await page.getByText("No order comes into question").waitFor();
  await button(page, "Reject the result").click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject the result" }).click();
  await page.getByText("Reject", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await page.getByText("Nothing to decide").waitFor();
  await page.getByLabel("State of reviews").selectOption("");
  await page.getByRole("link", { name: /No order matches/ }).waitFor();
});

test("names and notes of a report are text, and never run", async () => {
  const hostile = "<img src=x onerror=window.canary=1>";
  await report("V4", hostile);
  const { page, complaints } = await world.open("/orders", undefined, "clinician");
  await page.getByRole("link", { name: /No order matches/ }).click();
  await page.getByText(hostile).waitFor();
  await page.getByLabel(/^Note/).fill(hostile);
  await button(page, "Reject the result").click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject the result" }).click();
  await page.getByText(`Reject: ${hostile}`).waitFor();
  expect(await page.evaluate("window.canary")).toBeUndefined();
  expect(await page.locator("#console img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a result shows the values of earlier results of the user", async () => {
  const { page } = await world.open(`/orders/${second}`, undefined, "clinician");
  const earlier = await world.service.call("GET", `/v3/order/${first}/result`);
  const glucose = earlier.body.results.find(({ name }: { name: string }) => name === "Glucose");
  const row = page.getByRole("row").filter({ has: page.getByRole("cell", { name: "Glucose", exact: true }) });
  await row.getByRole("img", { name: new RegExp(`^before: .*: ${glucose.value} mg/dL`) }).waitFor();
  await page.goto(`${world.service.baseUrl}/console/orders/${first}`);
  await page.getByRole("cell", { name: "Glucose", exact: true }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Before" }).count()).toBe(0);
});

test("an order shows its appointment in the time of the viewer and of the place, and support may not see orders", async () => {
  const { page } = await world.open(`/orders/${visit}`);
  const section = page.getByRole("region", { name: "Appointment" });
  await section.getByText(/America\/Phoenix/).waitFor();
  await section.getByText(/West Lincoln Street 1, Phoenix/).waitFor();
  await page.getByText("No result yet").waitFor();
  const support = await world.open(`/orders/${visit}`, undefined, "support");
  await support.page.getByText("Your session may not see this").waitFor();
});

describe.each(looks)("in the look %s", (...look) => {
  test("the orders, an order and a review have no finding and fit their width", async () => {
    await report(`V3 ${look[0]}`, "Nobody");
    const { page, complaints } = await world.open("/orders", look);
    const shoot = async (name: string) => {
      await page.waitForLoadState("networkidle");
      expect(await findings(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await page.screenshot({ path: screenshot(`${name}-${look[0]}`), fullPage: true });
    };
    await page
      .getByRole("link", { name: /No order matches/ })
      .first()
      .waitFor();
    await shoot("labs");
    await page
      .getByRole("link", { name: /No order matches/ })
      .first()
      .click();
    await page.getByText("No order comes into question").waitFor();
    await shoot("review");
    await page.goto(`${world.service.baseUrl}/console/orders/${second}`);
    await page.getByRole("cell", { name: "Glucose", exact: true }).waitFor();
    await shoot("result");
    await page.goto(`${world.service.baseUrl}/console/orders/${visit}`);
    await page.getByRole("region", { name: "Appointment" }).waitFor();
    await shoot("appointment");
    // An order without a result answers 404.
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });
});
