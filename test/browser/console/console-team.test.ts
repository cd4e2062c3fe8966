import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
let deletedId: string;
beforeAll(async () => {
  world = await ConsoleWorld.start("team-user");
  await world.seed();
  deletedId = await world.service.createUser("Leaving soon");
  await world.service.call("DELETE", `/v2/user/${deletedId}`);
}, 300_000);
afterAll(() => world?.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an admin creates a key, sees it once, retires it and deletes it", async () => {
  const { page, complaints } = await world.open("/team/keys");
  await button(page, "Create a key").click();
  await page.getByLabel("Label").fill("Night job");
  await page.getByRole("checkbox", { name: /^read/ }).check();
  await button(page, "Create").click();
  const key = await page.locator(".secret code").innerText();
  await button(page, "I have copied it").click();
  const statusOf = async (path: string) => (await world.service.call("GET", path, { key })).status;
  expect([await statusOf("/v2/user"), await statusOf("/v3/orders")]).toEqual([200, 403]);
  await page.getByRole("cell", { name: "read", exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
  await button(page, "Retire Night job").click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire" }).click();
  await page.getByText("retired", { exact: true }).waitFor();
  await button(page, "Delete Night job").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("cell", { name: "Night job", exact: true }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("an admin reads the limits of the team, and which of them are those of the deployment", async () => {
  const { org_id, team_id } = world.service.identity;
  const limits = { requests_per_second: 12, users: null };
  await world.service.manage("PUT", `/v1/org/${org_id}/team/${team_id}/limits`, { body: limits });
  const { page } = await world.open("/team");
  const section = page.getByRole("region", { name: "Limits" });
  await section.getByText("12 a second of this team").waitFor();
  await section
    .getByText(/default of the deployment/)
    .first()
    .waitFor();
  // The clock of the service stands still: twelve requests are all that the tests after this one would have.
  const none = { requests_per_second: null, users: null };
  await world.service.manage("PUT", `/v1/org/${org_id}/team/${team_id}/limits`, { body: none });
});

test("an admin switches a feature on, sets a priority and an application, and the team has them", async () => {
  const { page, complaints } = await world.open("/team");
  const off = page.getByRole("checkbox", { name: "Bulk export" });
  await off.waitFor();
  for (const one of await page.getByRole("checkbox").all()) await one.setChecked(false);
  await off.check();
  await button(page, "Save").click();
  await page.getByText("Saved.").waitFor();
  const { org_id, team_id } = world.service.identity;
  const team = await world.service.manage("GET", `/v1/org/${org_id}/team/${team_id}?include_environment=sandbox`);
  expect(team.body.sandbox).toMatchObject({
    features: ["bulk_export"],
    lab_tests_patient_sms_communication_enabled: false,
  });
  const priorities = page.getByRole("region", { name: "Source priorities" });
  await priorities.getByLabel("Provider").selectOption("oura");
  await priorities.getByLabel("Priority").fill("7");
  await priorities.getByRole("button", { name: "Set" }).click();
  await priorities.getByRole("cell", { name: "7", exact: true }).waitFor();
  const apps = page.getByRole("region", { name: "Provider applications" });
  await apps.getByLabel("Provider").fill("oura");
  await apps.getByLabel("Client id").fill("desk-client");
  await apps.getByLabel("Client secret").fill("desk-secret-7");
  await apps.getByRole("button", { name: "Set" }).click();
  await apps.getByRole("cell", { name: "desk-client" }).waitFor();
  expect(await page.content()).not.toContain("desk-secret-7");
  await apps.getByRole("button", { name: "Delete the application of oura" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await apps.getByText("The team has no application of its own").waitFor();
  expect(complaints).toEqual([]);
});

test("a deletion shows what is left of its grace period, an undo restores the user, and an erasure has a certificate", async () => {
  const { page, complaints } = await world.open("/team/deletions");
  await page.getByText(/^6 days 23 h$/).waitFor();
  await button(page, "Undo the deletion of Leaving soon").click();
  await page.getByText("Restored, without connections.").waitFor();
  await page.getByText("No deletion waits").waitFor();
  expect((await world.service.call("GET", `/v2/user/${deletedId}`)).status).toBe(200);
  await page.getByLabel("User id").fill(deletedId);
  await button(page, "Show").click();
  await page.getByText("Check the id, and whether it belongs to this team.").waitFor();
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("the usage of the team leaves as CSV, and the access log names the person", async () => {
  const { page } = await world.open("/team/usage", undefined, "admin", "Person of the log");
  await page.getByText(/estimated for AWS/).waitFor();
  await page.getByRole("img", { name: /^Estimated cost: at most \$0\./ }).waitFor();
  await page.getByLabel("Each day").selectOption("samples");
  const samples = await page.getByRole("img", { name: /^Samples: at most/ }).getAttribute("aria-label");
  const cells = await page
    .getByRole("group", { name: "Usage" })
    .getByRole("row")
    .nth(1)
    .getByRole("cell")
    .allInnerTexts();
  expect(samples).toBe(`Samples: at most ${cells[2]} a day`);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export CSV").click()]);
  const rows = (await (await download.createReadStream()).toArray()).join("").trim().split("\r\n");
  expect(rows[0]).toBe("date,requests,samples,events,deliveries,stored_bytes,estimated_dollars");
  expect(rows.length).toBeGreaterThan(1);
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("link", { name: "team-user" }).click();
  await page.getByRole("heading", { name: "Connections" }).waitFor();
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByRole("link", { name: "People" }).click();
  const log = page.getByRole("region", { name: "Who looked" });
  await log.getByRole("cell", { name: "Person of the log" }).first().waitFor();
});

test("a person with the session of an API key reads why the parts of admins are closed", async () => {
  const page = await (await world.browser.newContext()).newPage();
  await page.goto(`${world.service.baseUrl}/console/team/keys`);
  await page.getByLabel("Key or token").fill(world.service.identity.api_key);
  await button(page, "Sign in").click();
  await page.getByText("This part is for admins").waitFor();
});

test("a team that asks why gets a reason once for each user, and the access log shows it", async () => {
  const { service, userId } = world;
  const { org_id, team_id } = service.identity;
  const ask = async (isAsked: boolean) => {
    const body = { sandbox: { console_reasons: isAsked } };
    await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body });
    await service.advance(61_000);
  };
  await ask(true);
  const { page, complaints } = await world.open(`/users/${userId}`);
  await page.getByText("Why do you look at this user?").waitFor();
  expect(await page.getByText("team-user").count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Case").fill("4711");
  await button(page, "Open").click();
  await page.getByRole("heading", { name: "Connections" }).waitFor();
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("cell", { name: "support 4711" }).first().waitFor();
  await ask(false);
  expect(complaints).toEqual([]);
});

const tabs: readonly (readonly [name: string, place: string, shows: (page: Page) => Promise<void>])[] = [
  ["settings", "/team", (page) => page.getByText("Provider applications").waitFor()],
  [
    "keys",
    "/team/keys",
    (page) =>
      page
        .getByRole("button", { name: /^Retire/ })
        .first()
        .waitFor(),
  ],
  ["usage", "/team/usage", (page) => page.getByText(/estimated for AWS/).waitFor()],
  ["deletions", "/team/deletions", (page) => page.getByText("Certificates").waitFor()],
  ["people", "/team/people", (page) => page.getByText("this session").waitFor()],
];

describe.each(looks)("in the look %s", (...look) => {
  test.each(tabs)("the part %s has no finding, nothing sideways and no error", async (name, place, shows) => {
    const { page, complaints } = await world.open(place, look);
    await shows(page);
    await page.waitForLoadState("networkidle");
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.screenshot({ path: screenshot(`team-${name}-${look[0]}`), fullPage: true });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

// Last, because it moves the clock of the service.
test("an admin deletes a user, and the console shows the certificate after the grace period", async () => {
  const { service } = world;
  const userId = await service.createUser("Leaving for good");
  const { page, complaints } = await world.open(`/users/${userId}`);
  await button(page, "Delete the user").click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Delete the user" }).click();
  await page.getByRole("cell", { name: "Leaving for good", exact: true }).waitFor();
  await service.advance(8 * 86_400_000);
  await service.settle();
  const later = (await world.open("/team/deletions")).page;
  await later.getByText("No deletion waits").waitFor();
  await later.getByLabel("User id").fill(userId);
  await button(later, "Show").click();
  await later.getByText(/^0 left in \d+ places$/).waitFor();
  await later.getByText('"userKeys": 1').waitFor();
  const support = await world.open(`/users/${world.userId}`, undefined, "support");
  await support.page.getByRole("heading", { name: "Connections" }).waitFor();
  expect(await button(support.page, "Delete the user").count()).toBe(0);
  expect(complaints).toEqual([]);
});
