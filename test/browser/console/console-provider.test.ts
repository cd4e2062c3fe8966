import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setProvider } from "../../local/service/console/sign-in-helpers.ts";
import { OpenIdPeer } from "../../support/peers/open-id-peer.ts";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
let peer: OpenIdPeer;
let address: string;
beforeAll(async () => {
  world = await ConsoleWorld.start("seen through a provider");
  peer = await OpenIdPeer.start(`${world.service.baseUrl}/console/sign-in`);
  address = (await setProvider(world.service, peer)).sign_in_url;
}, 300_000);
afterAll(async () => {
  await peer?.stop();
  await world?.stop();
});

const BUTTON = { name: "Continue to your organisation" };

/** Opens an address in a fresh profile. */
async function visit(place = address, [, colorScheme, width] = looks[0]): Promise<Page> {
  const context = await world.browser.newContext({ colorScheme, viewport: { width, height: 860 } });
  const page = await context.newPage();
  await page.goto(place);
  return page;
}

/** Enters an account on the page of the provider. */
async function enter(page: Page, account: string): Promise<void> {
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
}

const refusal = (page: Page, words: RegExp) => page.getByRole("status").getByText(words).waitFor();
/** Names of the cookies of the console. Those of the provider have the same host, because cookies ignore ports. */
const cookies = async (page: Page) =>
  (await page.context().cookies(world.service.baseUrl))
    .map(({ name }) => name)
    .filter((name) => name.startsWith("tributary"));
const stored = (page: Page) => page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }, document.cookie]);

describe("a person who comes to the address of their team", () => {
  test.each([
    ["reader-1", "Rea Der (reader-1) · reader"],
    ["support-1", "Sup Port (support-1) · support"],
    ["clinician-1", "Cli Nician (clinician-1) · clinician"],
    ["admin-1", "Ad Min (admin-1) · admin"],
  ])("signs in at the provider as %s, and sees the console as %s", async (account, line) => {
    const page = await visit();
    await enter(page, account);
    await page.getByText(line).waitFor();
    expect(page.url()).toBe(`${world.service.baseUrl}/console`);
    expect(await cookies(page)).toEqual(["tributary_console"]);
    expect(await stored(page)).toEqual([{}, {}, ""]);
    await page.context().close();
  });

  test("comes back to the view from which they went to the provider", async () => {
    const page = await visit();
    await enter(page, "support-1");
    await page.getByText("· support").waitFor();
    await page.goto(`${world.service.baseUrl}/console/users/${world.userId}`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", BUTTON).click();
    await page.getByText("· support").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/users/${world.userId}`);
    await page.context().close();
  });

  test.each(looks)("and has no role reads what to do, in the look %s", async (...look) => {
    const page = await visit(address, look);
    await enter(page, "stranger-1");
    await refusal(page, /no role in this console. Ask your administrator/);
    expect(page.url()).toBe(`${world.service.baseUrl}/console`);
    expect(await cookies(page)).not.toContain("tributary_console");
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.screenshot({ path: screenshot(`provider-refusal-${look[0]}`), fullPage: true });
    await page.getByRole("button", BUTTON).waitFor();
    await page.context().close();
  });

  test("reads that the provider does not answer, and tries again", async () => {
    const { teamId } = await world.service.createTeam("At a provider that fails");
    const own = await OpenIdPeer.start(`${world.service.baseUrl}/console/sign-in`);
    const { sign_in_url } = await setProvider(world.service, own, {}, teamId);
    own.overrides.set("/.well-known/", (_, response) => void response.writeHead(503).end());
    const page = await visit(sign_in_url);
    await refusal(page, /did not answer. Wait a minute/);
    own.reset();
    await page.getByRole("button", BUTTON).click();
    await enter(page, "admin-1");
    await page.getByText("· admin").waitFor();
    await own.stop();
    await page.context().close();
  });
});

describe("a browser", () => {
  const begin = (page: Page) =>
    page.evaluate(async (team_id) => {
      const headers = { "x-console-request": "1", "content-type": "application/json" };
      const body = JSON.stringify({ team_id });
      return (await (await fetch("/console/sign-in", { method: "POST", headers, body })).json()).authorization_url;
    }, world.service.identity.team_id);

  test("that comes back from another site finishes the sign-in", async () => {
    const page = await visit(`${world.service.baseUrl}/console`);
    const back = await peer.signIn(await begin(page), "admin-1");
    peer.overrides.set("/bounce", (_, response) => void response.writeHead(302, { location: back.href }).end());
    // To browsers, the name localhost is another site than the address 127.0.0.1.
    await page.goto(`${peer.issuer.replace("127.0.0.1", "localhost")}/bounce`);
    await page.getByText("Ad Min (admin-1) · admin").waitFor();
    await page.context().close();
  });

  test("that did not begin gets no session from the address of an attacker", async () => {
    const attacker = await visit(`${world.service.baseUrl}/console`);
    const back = await peer.signIn(await begin(attacker), "reader-1");
    const page = await visit(back.href);
    await refusal(page, /This browser did not begin the sign-in/);
    expect(page.url()).toBe(`${world.service.baseUrl}/console`);
    expect(await cookies(page)).toEqual([]);
    await attacker.context().close();
    await page.context().close();
  });
});

test("the page of people without a provider offers keys alone", async () => {
  const page = await visit(`${world.service.baseUrl}/console`);
  await page.getByLabel("Key or token").waitFor();
  expect(await page.getByRole("button").allTextContents()).toEqual(["Sign in"]);
  await page.context().close();
});
