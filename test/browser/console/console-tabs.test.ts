import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTicket } from "../../local/service/console/console-helpers.ts";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { ConsoleWorld } from "./console-world.ts";

/** The page asks for its session once a minute. */
const MINUTE_MS = 60_000;

let world: ConsoleWorld;
let receiver: Receiver;
let otherTeam: string;
beforeAll(async () => {
  world = await ConsoleWorld.start("looked at");
  const { service } = world;
  const { org_id, team_id } = service.identity;
  receiver = await Receiver.start(service, () => 204);
  const body = { url: receiver.url, description: "First team's endpoint" };
  await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { body });
  otherTeam = (await service.createTeam("Second organization")).teamId;
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const address = (place: string, ticket?: string) =>
  `${world.service.baseUrl}/console${place}${ticket === undefined ? "" : `?ticket=${ticket}`}`;
const navigation = (page: Page) => page.getByRole("navigation", { name: "Views" });
const signOutButton = (page: Page) => page.getByRole("button", { name: "Sign out" });
const signIn = async (page: Page, key: string, name: string) => {
  await page.getByLabel("Key or token").fill(key);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Sign in" }).click();
  await navigation(page).waitFor();
};

describe("the next person in the same tab", () => {
  test("sees no endpoint of the person before", async () => {
    const { page } = await world.open("/webhooks");
    await page.getByText("First team's endpoint").first().waitFor();
    await signOutButton(page).click();
    const { key } = await world.service.createTeam("Third organization");
    await signIn(page, key, "Next person");
    await page.getByText("No endpoints yet").waitFor();
    expect(await page.getByText("First team's endpoint").count()).toBe(0);
    await page.context().close();
  });

  test("is asked why they look, although the person before has said it", async () => {
    const { org_id, team_id, api_key } = world.service.identity;
    const path = `/v1/org/${org_id}/team/${team_id}`;
    await world.service.manage("PATCH", path, { body: { sandbox: { console_reasons: true } } });
    await world.service.advance(61_000);
    const { page } = await world.open(`/users/${world.userId}`, undefined, "admin", "First person");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Nothing is connected").waitFor();
    await signOutButton(page).click();
    await signIn(page, api_key, "Next person");
    await page.getByRole("heading", { name: "Why do you look at this user?" }).waitFor();
    expect(await page.getByText("Nothing is connected").count()).toBe(0);
    await page.context().close();
  });

  test("opens the user of a complete id by saying why, from the search too", async () => {
    const { page } = await world.open("/users");
    await page.getByRole("searchbox").fill(world.userId);
    await page.getByRole("link", { name: "Say it and open the user" }).click();
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Nothing is connected").waitFor();
    const { org_id, team_id } = world.service.identity;
    const path = `/v1/org/${org_id}/team/${team_id}`;
    await world.service.manage("PATCH", path, { body: { sandbox: { console_reasons: false } } });
    await world.service.advance(61_000);
    await page.context().close();
  });
});

describe("a sign-in in another tab", () => {
  test("ends the page of the first one at its next request, and shows it nothing of another team", async () => {
    const { page } = await world.open("/users");
    await page.getByRole("link", { name: "looked at" }).waitFor();
    const second = await page.context().newPage();
    const { ticket } = await createTicket(world.service, { teamId: otherTeam, name: "Second person" });
    await second.goto(address("", ticket));
    await navigation(second).waitFor();
    await page.getByRole("link", { name: "Orders" }).click();
    await page.getByText("Another sign-in in this browser replaced the session of this page").waitFor();
    expect(await page.getByText("looked at").count()).toBe(0);
    await page.reload();
    await page.getByText("Second organization").waitFor();
    await page.context().close();
  });

  test("ends the page of the first one within a minute, if it rests", async () => {
    const { page } = await world.open("/users");
    await page.clock.install();
    await page.reload();
    await page.getByRole("link", { name: "looked at" }).waitFor();
    const second = await page.context().newPage();
    const { ticket } = await createTicket(world.service, { teamId: otherTeam, name: "Second person" });
    await second.goto(address("", ticket));
    await navigation(second).waitFor();
    await page.clock.fastForward(MINUTE_MS);
    await page.getByText("Another sign-in in this browser replaced").waitFor();
    await page.context().close();
  });
});

describe("a sign-out that does not reach the service", () => {
  test("clears the screen, says so, and is done at the next try or when the page loads again", async () => {
    const { page } = await world.open("/users");
    await page.getByRole("link", { name: "looked at" }).waitFor();
    await page.route("**/console/session", (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.continue(),
    );
    await signOutButton(page).click();
    const title = page.getByRole("heading", { name: "You are not signed out yet" });
    await title.waitFor();
    expect(await page.getByText("looked at").count()).toBe(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    expect(await navigation(page).count()).toBe(0);
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("heading", { name: "Tributary console" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Tributary console" }).waitFor();
    await page.context().close();
  });
});

describe("a page that loads", () => {
  test("while the service fails says so, and opens the session at the next try", async () => {
    const { page } = await world.open("/users");
    await page.route("**/console/session", (route) =>
      route.fulfill({ status: 503, json: { detail: "The service is busy.", code: "unavailable", request_id: "r-1" } }),
    );
    await page.reload();
    await page.getByText("The service is busy.").waitFor();
    expect(await page.getByLabel("Key or token").count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "looked at" }).waitFor();
    await page.context().close();
  });

  test("with a ticket keeps it for the next try, and says when it was used before", async () => {
    const context = await world.browser.newContext();
    const page = await context.newPage();
    const { ticket } = await createTicket(world.service);
    await page.route("**/console/session", (route) => route.abort());
    await page.goto(address("/users", ticket));
    await page.getByText("The service cannot be reached").waitFor();
    expect(page.url()).toBe(address("/users"));
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "looked at" }).waitFor();
    await context.close();
    const late = await (await world.browser.newContext()).newPage();
    await late.goto(address("", ticket));
    await late.getByText("The ticket is invalid or was already used.").waitFor();
    await late.context().close();
  });
});
