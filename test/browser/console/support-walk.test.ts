import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patientDetails } from "../../local/service/orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
} from "../../local/service/results/result-helpers.ts";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { ConsoleWorld, looks } from "./console-world.ts";
import { takePicture } from "./picture.ts";

let world: ConsoleWorld;
let receiver: Receiver;
/** What the receiver answers. */
let status = 204;

beforeAll(async () => {
  world = await ConsoleWorld.start("member-4711");
  await world.seed();
  receiver = await Receiver.start(world.service, () => ({ status, text: status === 204 ? "" : "The queue is full." }));
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const yesterday = () => new Date(world.service.cloud.clock.now() - 86_400_000).toISOString().slice(0, 10);
const open = (place: string, role: string) => world.open(place, looks[0], role);

/** Brings the part of a page with this heading to the top. */
const scrollTo = (page: Page, heading: string) =>
  page.getByRole("heading", { name: heading }).evaluate((one) => one.scrollIntoView({ block: "start" }));

/** Makes events. */
async function connect(name: string): Promise<void> {
  const user_id = await world.service.createUser(name);
  await world.service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "fitbit" } });
  await world.service.settle();
}

test("a member says that yesterday's steps are wrong", async () => {
  const { page, complaints } = await open("", "support");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("member-4711");
  await page.getByRole("option", { name: /User member-4711/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("connected", { exact: true }).nth(2).waitFor();
  await takePicture(page, "user", 860);
  await page.getByRole("link", { name: "Day", exact: true }).click();
  await button(page, "Day before").click();
  await page.getByRole("link", { name: /^Steps/ }).click();
  await page.getByRole("heading", { name: `Steps on ${yesterday()}` }).waitFor();
  await page
    .getByText(/Apple HealthKit \(watch\) ranks above Apple HealthKit \(phone\)/)
    .first()
    .waitFor();
  await page
    .getByRole("link", { name: /steps\.created/ })
    .first()
    .waitFor();
  await takePicture(page, "why", 860);
  await page
    .getByRole("link", { name: /steps\.created/ })
    .first()
    .click();
  await page.getByText("HTTP 204").waitFor();
  expect(await page.title()).toBe("Events · Tributary");
  expect(complaints).toEqual([]);
});

test("webhooks stopped", async () => {
  const { page: admin } = await open("/webhooks", "admin");
  await button(admin, "Create an endpoint").click();
  await admin.getByLabel("URL").fill(receiver.url);
  await admin.getByLabel("Description").fill("Member app");
  await button(admin, "Create").click();
  await button(admin, "I have copied it").click();
  await connect("received");
  status = 503;
  await connect("refused");
  await button(admin, "Disable").click();
  await admin.getByText("disabled: manual").waitFor();
  const { next } = (await world.service.call("GET", "/v2/events?limit=500")).body;
  await connect("missed");
  status = 204;
  const { page, complaints } = await open("/webhooks", "support");
  await page.getByRole("link", { name: "Member app" }).click();
  await page.getByText("disabled: manual").waitFor();
  await page.getByRole("link", { name: "provider.connection.created" }).first().click();
  await page.getByText("The queue is full.").first().waitFor();
  await takePicture(page, "webhooks", 640);
  await button(admin, "Enable").click();
  await admin.getByText("disabled: manual").waitFor({ state: "detached" });
  await page.reload();
  await page.getByLabel("After the sequence").fill(String(next));
  await button(page, "Compare").click();
  await page.getByText(/events have no message/).waitFor();
  await scrollTo(page, "Replay");
  await takePicture(page, "missing", 560);
  const before = receiver.received.length;
  await page.getByLabel("What").selectOption("missing");
  const hourAgo = new Date(world.service.cloud.clock.now() - 3_600_000).toISOString().slice(0, 16);
  await page.getByLabel("Times").selectOption("utc");
  await page.getByLabel("Since").fill(hourAgo);
  await button(page, "Replay").click();
  await page.getByText(/^(Running|Done)/).waitFor();
  await world.service.settle();
  await page.getByText(/^Done: [1-9]/).waitFor();
  expect(receiver.received.length).toBeGreaterThan(before);
  expect(complaints).toEqual([]);
});

test("a lab result did not arrive", async () => {
  const { service, userId } = world;
  const order = await createOpenOrder(service, userId, {
    patient_details: { ...patientDetails, last_name: "Sample-Lee" },
  });
  const send = createLabSender(service, await createLabKey(service));
  await send(createOruMessage({ control: "W1", last_name: "Sample-Lee", value: "104", flag: "H" }));
  await service.settle();
  const { page } = await open("/orders", "clinician");
  await page.getByLabel("Find orders by id").fill(userId);
  await page.getByLabel("Find orders by id").press("Enter");
  await page.getByRole("link", { name: "General wellness" }).click();
  await page.getByText("No result yet").waitFor();
  await takePicture(page, "order", 560);
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await page.getByRole("link", { name: /name and date of birth match/ }).click();
  await button(page, `It is the order ${order.id}`).waitFor();
  await takePicture(page, "review", 560);
  await button(page, `It is the order ${order.id}`).click();
  await page.getByRole("dialog").getByRole("button", { name: "It is this order" }).click();
  await page.getByRole("link", { name: order.id }).click();
  await page.getByRole("cell", { name: "Glucose" }).waitFor();
});

test("a member wants to be deleted", async () => {
  const leaving = await world.service.createUser("member-0815");
  const { page } = await open(`/users/${leaving}`, "admin");
  await button(page, "Delete the user").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the user" }).click();
  await page.getByRole("cell", { name: "member-0815", exact: true }).waitFor();
  await takePicture(page, "deletions", 480);
  await world.service.advance(8 * 86_400_000);
  await world.service.settle();
  const later = (await open("/team/deletions", "admin")).page;
  await later.getByLabel("User id").fill(leaving);
  await button(later, "Show").click();
  await later.getByText(/^0 left in \d+ places$/).waitFor();
  await takePicture(later, "certificate", 860);
});
