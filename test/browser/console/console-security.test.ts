import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTicket } from "../../local/service/console/console-helpers.ts";
import { ingestBatch } from "../../local/service/ingest/ingest-batch.ts";
import { orderRequest, simulateOrder } from "../../local/service/orders/order-helpers.ts";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { ConsoleWorld, findings, HOSTILE } from "./console-world.ts";

let world: ConsoleWorld;
let receiver: Receiver;
let orderId: string;
const day = "2026-01-05";

beforeAll(async () => {
  world = await ConsoleWorld.start(HOSTILE);
  const { service, userId } = world;
  receiver = await Receiver.start(service, () => ({ status: 422, text: HOSTILE }));
  const { org_id, team_id } = service.identity;
  const endpoint = { url: receiver.url, description: HOSTILE };
  await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { body: endpoint });
  const steps = ["08", "09", "10"].map((hour) => ({
    start: `${day}T${hour}:00:00Z`,
    end: `${day}T${hour}:30:00Z`,
    value: 100,
  }));
  const records = {
    steps,
    workouts: [
      {
        provider_id: HOSTILE,
        title: HOSTILE,
        time_start: `${day}T11:00:00Z`,
        time_end: `${day}T12:00:00Z`,
        sport: { name: HOSTILE, slug: "x" },
      },
    ],
  };
  for (const type of ["phone", "watch"])
    await ingestBatch(service, userId, records, {
      source_type: type,
      device: { id: `${type} ${HOSTILE}` },
      app: { id: HOSTILE },
    });
  const key = { label: HOSTILE.slice(0, 100), team_id };
  await service.manage("POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, { body: key });
  await service.call("DELETE", `/v2/user/${await service.createUser(`deleted ${HOSTILE}`)}`);
  const draft = { name: HOSTILE, description: HOSTILE, method: "walk_in_test", provider_ids: ["90101"] };
  const labTest = await service.call("POST", "/v3/lab_tests", { body: { ...draft, lab_slug: "quest" } });
  const order = orderRequest(userId, { order_set: { lab_test_ids: [labTest.body.id] } });
  orderId = (await service.call("POST", "/v3/order", { body: order })).body.order?.id;
  if (orderId === undefined) throw new Error(JSON.stringify([labTest.body]));
  await simulateOrder(service, orderId);
  await service.settle();
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const hostileText = (page: Page) => page.getByText("<img src=x").locator("visible=true").first();
const user = () => `/users/${world.userId}`;

/** Each view, and a place that shows a hostile text. */
const views: readonly (readonly [place: () => string, act: (page: Page) => Promise<unknown>])[] = [
  [() => "/users", (page) => hostileText(page).waitFor()],
  [user, async (page) => page.getByText(/What each provider delivered/).click()],
  [
    () => `${user()}/data?resource=steps&from=${day}T00:00:00Z&to=${day}T23:00:00Z`,
    async (page) => page.getByRole("img", { name: /Steps/ }).hover(),
  ],
  [
    () => `${user()}/day/${day}`,
    async (page) =>
      page
        .getByText(/^Workouts/)
        .first()
        .waitFor(),
  ],
  [() => `${user()}/why?measure=steps&day=${day}`, async (page) => page.getByText("ranks above").first().waitFor()],
  [() => "/events?sequence=1", async (page) => page.getByText("HTTP 422").first().waitFor()],
  [() => `/orders/${orderId}`, async (page) => page.getByText("Steps", { exact: true }).waitFor()],
  [() => "/team/keys", (page) => page.getByRole("button", { name: /^Retire <img src=x/ }).waitFor()],
  [() => "/team/deletions", (page) => page.getByText(/^deleted <img src=x/).waitFor()],
  [() => "/team/people", (page) => page.getByText("this session").waitFor()],
  [() => "/webhooks", async (page) => page.getByRole("link", { name: /<img src=x/ }).click()],
];

test.each(views)("hostile names, texts and answers are text in view %#, and never run", async (place, act) => {
  const { page, complaints } = await world.open(place(), undefined, "admin", HOSTILE.slice(0, 80));
  await act(page);
  await hostileText(page).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate("window.canary")).toBeUndefined();
  expect(await page.locator("#console img, #console script").count()).toBe(0);
  expect(await page.title()).not.toContain("<img");
  expect(decodeURIComponent(page.url())).not.toContain("<img");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the browser stores two preferences and nothing of a user, of the session or of the key", async () => {
  const { page } = await world.open(user());
  await hostileText(page).waitFor();
  await page.getByLabel("Times").selectOption("utc");
  await page.getByLabel("Colours").selectOption("dark");
  const stored = await page.evaluate(async () => [
    { ...localStorage },
    { ...sessionStorage },
    document.cookie,
    await indexedDB.databases(),
  ]);
  expect(stored).toEqual([{ "console-zone": "utc", "console-theme": "dark" }, {}, "", []]);
  expect(await page.title()).toBe("User · Tributary");
});

describe("the sign-in", () => {
  const visit = async (place = "") => {
    const page = await (await world.browser.newContext()).newPage();
    await page.goto(`${world.service.baseUrl}/console${place}`);
    return page;
  };
  const enter = async (page: Page, key: string) => {
    await page.getByLabel("Key or token").fill(key);
    await page.getByLabel("Role").selectOption("support");
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  test("refuses a wrong key in words, and takes the key of the team", async () => {
    const page = await visit("/users");
    await enter(page, "sk_us_unknown");
    await page.getByRole("alert").getByText(/\w/).waitFor();
    expect(await findings(page)).toEqual([]);
    await enter(page, world.service.identity.api_key);
    await hostileText(page).waitFor();
    await page.getByText("· support").waitFor();
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      "sk_",
    );
  });

  test("takes a ticket out of the address, and takes it once", async () => {
    const { ticket } = await createTicket(world.service);
    const page = await visit(`/users?ticket=${ticket}`);
    await hostileText(page).waitFor();
    expect(page.url()).not.toContain(ticket);
    expect(page.url()).toMatch(/\/console\/users$/);
    const again = await visit(`/users?ticket=${ticket}`);
    await again.getByLabel("Key or token").waitFor();
  });

  test("comes back when the session ends", async () => {
    const { page } = await world.open("/users");
    await hostileText(page).waitFor();
    await page.evaluate(() => fetch("/console/session", { method: "DELETE", headers: { "x-console-request": "1" } }));
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByLabel("Key or token").waitFor();
    expect(await page.getByText("<img src=x").count()).toBe(0);
  });

  test("comes back when a person signs out", async () => {
    const { page } = await world.open("/users");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Key or token").waitFor();
    await page.reload();
    await page.getByLabel("Key or token").waitFor();
  });
});

describe("a view says what to do", () => {
  test("when the role has no permission", async () => {
    const { page } = await world.open("/users", undefined, "reader");
    await page.getByText("Your session may not see this").waitFor();
    await page.getByText("It has the role reader.").waitFor();
    expect(await page.getByText("<img src=x").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  test("when a user does not exist", async () => {
    const { page } = await world.open("/users/00000000-0000-4000-8000-000000000000");
    await page.getByText("Check the id, and whether it belongs to this team.").waitFor();
  });

  test("when the service cannot be reached, and recovers", async () => {
    const { page } = await world.open("/webhooks");
    await page.route("**/console/user_search?*", (route) => route.abort());
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByText("The service cannot be reached.").waitFor();
    await page.unroute("**/console/user_search?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await hostileText(page).waitFor();
  });

  test("when a user has no data", async () => {
    const userId = await world.service.createUser("without data");
    const { page } = await world.open(`/users/${userId}`);
    await page.getByText("Nothing is connected").waitFor();
    await page.getByRole("link", { name: "Data" }).click();
    await page.getByText("No samples yet").waitFor();
    await page.getByRole("link", { name: "Why this number" }).click();
    await page.getByText("No source has sent any for this day.").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

test("an admin ends the session of another person", async () => {
  const other = await world.open("/users", undefined, "support", "Somebody who leaves");
  const { page } = await world.open("/team/people");
  const end = page.getByRole("button", { name: "End the session of Somebody who leaves" });
  await end.click();
  await page.getByText("Session ended.").waitFor();
  await end.waitFor({ state: "detached" });
  await other.page.reload();
  await other.page.getByLabel("Key or token").waitFor();
});
