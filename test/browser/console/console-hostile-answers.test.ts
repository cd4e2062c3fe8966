import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knownRows, parseReport, reportPdf, unknownRow } from "../../local/service/lab-reports/report-helpers.ts";
import { orderRequest, simulateOrder } from "../../local/service/orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
} from "../../local/service/results/result-helpers.ts";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { expectOnlyText, poisonAnswers, type Reach } from "../hostile-answers.ts";
import { ConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
let receiver: Receiver;
/** Ids that the addresses of views name. */
const ids: Record<"order" | "visit" | "report" | "review" | "endpoint", string> = {
  order: "",
  visit: "",
  report: "",
  review: "",
  endpoint: "",
};

beforeAll(async () => {
  world = await ConsoleWorld.start("has hostile answers");
  const { service, userId } = world;
  receiver = await Receiver.start(service, () => ({ status: 500, text: "no" }));
  const { org_id, team_id } = service.identity;
  const endpoint = { url: receiver.url, description: "a receiver", headers: { "x-tenant": "one" } };
  const made = await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { body: endpoint });
  ids.endpoint = made.body.id;
  await world.seed();
  ids.order = await place();
  await simulateOrder(service, ids.order, "", { interpretation: "abnormal" });
  ids.visit = await place({ order_set: { lab_test_ids: ["00000000-0000-4000-9000-000000000003"] } });
  await simulateOrder(service, ids.visit, "?final_status=collecting_sample.at_home_phlebotomy.appointment_scheduled");
  const files = [await reportPdf([...knownRows, unknownRow])];
  ids.report = (await parseReport(service, { user_id: userId, files, needs_human_review: true })).id;
  await createOpenOrder(service, userId);
  const send = createLabSender(service, await createLabKey(service));
  await send(createOruMessage({ control: "hostile", last_name: "Unknown", value: "200" }));
  await service.call("DELETE", `/v2/user/${await service.createUser("leaves")}`);
  await service.settle();
  ids.review = (await service.call("GET", "/v3/unmatched_result")).body.data[0].id;
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const place = async (more = {}) =>
  (await world.service.call("POST", "/v3/order", { body: orderRequest(world.userId, more) })).body.order.id;
const yesterday = () => new Date(world.service.cloud.clock.now() - 86_400_000).toISOString().slice(0, 10);
const user = () => `/users/${world.userId}`;

/** The address of every view and of every part of one. */
const views: readonly (readonly [name: string, place: () => string])[] = [
  ["overview", () => ""],
  ["users", () => "/users"],
  ["user", user],
  ["data", () => `${user()}/data?resource=heartrate`],
  ["day", () => `${user()}/day/${yesterday()}`],
  ["why", () => `${user()}/why?measure=steps&day=${yesterday()}`],
  ["events", () => "/events?sequence=1"],
  ["orders", () => "/orders"],
  ["order", () => `/orders/${ids.order}`],
  ["order with an appointment", () => `/orders/${ids.visit}`],
  ["lab report", () => `/orders/reports/${ids.report}`],
  ["match review", () => `/orders/reviews/${ids.review}`],
  ["webhooks", () => "/webhooks"],
  ["webhook endpoint", () => `/webhooks?endpoint=${ids.endpoint}`],
  ["settings of the team", () => "/team"],
  ["keys", () => "/team/keys"],
  ["usage", () => "/team/usage"],
  ["deletions", () => "/team/deletions"],
  ["people", () => "/team/people"],
];

/** Opens everything that is folded, and shows each row that can be chosen. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  for (const row of (await page.locator("#console [aria-expanded=false]").all()).slice(0, 10))
    await row.click({ timeout: 2_000 }).catch(() => undefined);
  await page.waitForLoadState("networkidle");
}

describe.each<Reach>(["texts", "texts and tokens"])("answers whose %s are hostile", (reach) => {
  test.each(views)("run nothing in the view %s", async (_, address) => {
    const { page } = await world.open("/users");
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    const poisoned = await poisonAnswers(page, reach);
    await page.goto(`${world.service.baseUrl}/console${address()}`);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await page.waitForLoadState("networkidle");
    await unfold(page);
    expect(poisoned()).toBeGreaterThan(0);
    await expectOnlyText(page);
    expect((await page.title()) + decodeURIComponent(page.url())).not.toContain("<img");
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
