import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { ConsoleWorld } from "./console-world.ts";

/** More keys than the API returns in one page. */
const KEYS = 53;

let world: ConsoleWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await ConsoleWorld.start("changes-user");
  receiver = await Receiver.start(world.service, () => 204);
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const org = () => `/v1/org/${world.service.identity.org_id}`;
const team = () => `${org()}/team/${world.service.identity.team_id}`;

test("a team with many keys sees the newest of them first, and all others", async () => {
  const { team_id } = world.service.identity;
  for (let made = 0; made < KEYS; made++)
    await world.service.manage("POST", `${org()}/team_api_keys/sandbox/us`, {
      body: { label: `key ${made}`, team_id },
    });
  const { page } = await world.open("/team/keys");
  await page.getByRole("cell", { name: `key ${KEYS - 1}`, exact: true }).waitFor();
  const labels = await page.locator("tbody tr td:first-child").allInnerTexts();
  expect(labels.slice(0, 2)).toEqual([`key ${KEYS - 1}`, `key ${KEYS - 2}`]);
  expect(labels.length).toBeGreaterThan(KEYS);
  await page.context().close();
});

test("settings that a person saves leave those alone that others have changed meanwhile", async () => {
  const set = (sandbox: object) => world.service.manage("PATCH", team(), { body: { sandbox } });
  await set({ features: ["bulk_export"], minor_ordering_enabled: false, console_reasons: false });
  const { page } = await world.open("/team");
  const flag = page.getByRole("checkbox", { name: "The console asks why people look at a user" });
  await flag.waitFor();
  await set({ features: ["bulk_export", "lab_report_parsing"], minor_ordering_enabled: true });
  await flag.check();
  await page.getByRole("checkbox", { name: "Bulk export" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const { body } = await world.service.manage("GET", `${team()}?include_environment=sandbox`);
  expect(body.sandbox).toMatchObject({
    features: ["lab_report_parsing"],
    minor_ordering_enabled: true,
    console_reasons: true,
  });
  await set({ features: [], console_reasons: false });
  await page.context().close();
});

test("an endpoint without a description has its URL as name, and keeps what others have changed", async () => {
  const made = await world.service.manage("POST", `${team()}/sandbox/webhook`, { body: { url: receiver.url } });
  const { page } = await world.open("/webhooks");
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await world.service.manage("PATCH", `${team()}/sandbox/webhook/${made.body.id}`, { body: { rate_limit: 7 } });
  await page.getByLabel("Description").fill("Named");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Named" }).waitFor();
  const { body } = await world.service.manage("GET", `${team()}/sandbox/webhook/${made.body.id}`);
  expect(body).toMatchObject({ description: "Named", rate_limit: 7 });
  await page.context().close();
});
