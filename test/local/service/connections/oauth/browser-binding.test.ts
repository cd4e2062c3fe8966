import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";
import {
  CookieJar,
  createLinkToken,
  createStartUrl,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "../link-helpers.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
});
afterAll(() => service.stop());

const REFUSED = { status: 400, location: null };
let users = 0;

/** Creates a user with a link token, who has not started the flow. */
async function someone() {
  users += 1;
  const user = await service.createUser(`user-${users}`);
  const { link_token } = await createLinkToken(service, user);
  const connected = async () => (await service.call("GET", `/v2/user/providers/${user}`)).body.providers.length;
  return { user, link_token, account: `account-${users}`, connected };
}

/** Creates a user whose browser started the flow and whom the provider redirected back. */
async function underWay(browser = new CookieJar()) {
  const of = await someone();
  const url = await openAuthorizationUrl(service, of.link_token, "oura", browser);
  return { ...of, browser, url, callback: await grantConsent(url, { account: of.account }) };
}

const onlyCookie = (browser: CookieJar) => {
  expect(browser.cookies.size).toBe(1);
  return [...browser.cookies][0] as [string, string];
};

test("the browser that starts the flow gets a cookie for it, returns with the cookie and loses it", async () => {
  const { link_token, account, connected } = await someone();
  const browser = new CookieJar();
  const response = await browser.open(await createStartUrl(service, link_token));
  const set = response.headers.getSetCookie();
  expect(set).toEqual([
    expect.stringMatching(/^tributary-oauth-\w{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
  ]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  const callback = await grantConsent(new URL(response.headers.get("location") ?? ""), { account });
  expect((await openCallback(callback, browser)).outcome).toMatchObject({ state: "success" });
  expect([await connected(), browser.cookies.size]).toEqual([1, 0]);
});

test("a browser that did not start the flow is refused, connects nothing, and does not end the flow", async () => {
  const { browser, callback, connected } = await underWay();
  const otherBrowser = new CookieJar();
  expect(await openCallback(callback, otherBrowser)).toMatchObject(REFUSED);
  expect([await connected(), otherBrowser.cookies.size]).toEqual([0, 0]);
  expect((await openCallback(callback, browser)).outcome).toMatchObject({ state: "success" });
  expect(await connected()).toBe(1);
});

test("a person who consents in another user's flow connects no account to that user", async () => {
  const attacker = await underWay();
  const victim = await underWay();
  const mixed = await grantConsent(attacker.url, { account: victim.account });
  for (const browser of [new CookieJar(), victim.browser])
    expect(await openCallback(mixed, browser)).toMatchObject(REFUSED);
  expect(await attacker.connected()).toBe(0);
});

test("a person whose browser opens another user's callback URL gets no data of that user", async () => {
  const [attacker, victim] = [await underWay(), await underWay()];
  expect(await openCallback(attacker.callback, victim.browser)).toMatchObject(REFUSED);
  // The other user's code does not help: without the cookie the state is invalid.
  const planted = new URL(attacker.callback);
  planted.searchParams.set("state", victim.callback.searchParams.get("state") ?? "");
  expect(await openCallback(planted, attacker.browser)).toMatchObject(REFUSED);
  expect([await attacker.connected(), await victim.connected()]).toEqual([0, 0]);
});

test("the cookie of another flow and a forged cookie are refused", async () => {
  const [one, other] = [await underWay(), await underWay()];
  const [name, value] = onlyCookie(one.browser);
  for (const made of [onlyCookie(other.browser)[1], "", "guessed", `${value}x`, value.toUpperCase()]) {
    const forged = new CookieJar();
    forged.put(name, made);
    expect(await openCallback(one.callback, forged)).toMatchObject(REFUSED);
  }
  expect(await openCallback(one.callback, other.browser)).toMatchObject(REFUSED);
  expect([await one.connected(), await other.connected()]).toEqual([0, 0]);
});

test("parallel flows in one browser all complete, in any order", async () => {
  const browser = new CookieJar();
  const [first, second, third] = [await underWay(browser), await underWay(browser), await underWay(browser)];
  expect(browser.cookies.size).toBe(3);
  for (const { callback } of [third, first, second]) {
    expect((await openCallback(callback, browser)).outcome).toMatchObject({ state: "success" });
  }
  expect([await first.connected(), await second.connected(), await third.connected()]).toEqual([1, 1, 1]);
});

test("a callback is accepted once, even with the cookie", async () => {
  const { browser, callback } = await underWay();
  const [name, value] = onlyCookie(browser);
  expect((await openCallback(callback, browser)).outcome).toMatchObject({ state: "success" });
  browser.put(name, value);
  expect(await openCallback(callback, browser)).toMatchObject(REFUSED);
});

test("a ticket is accepted once, even for several concurrent browsers, and only the first browser can return", async () => {
  const { link_token, account, connected } = await someone();
  const url = await createStartUrl(service, link_token);
  const browsers = [new CookieJar(), new CookieJar(), new CookieJar()];
  const answers = await Promise.all(browsers.map((browser) => browser.open(url)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 400, 400]);
  const begun = answers.findIndex(({ status }) => status === 302);
  const callback = await grantConsent(new URL(answers[begun]?.headers.get("location") ?? ""), { account });
  for (const [index, browser] of browsers.entries()) {
    if (index !== begun) expect(await openCallback(callback, browser)).toMatchObject(REFUSED);
  }
  expect(await connected()).toBe(0);
  expect((await openCallback(callback, browsers[begun])).outcome).toMatchObject({ state: "success" });
  expect((await (browsers[begun] as CookieJar).open(url)).status).toBe(400);
});

test("a ticket is bound to its provider, is not sent to the provider, and is not accepted as a state", async () => {
  const { link_token } = await someone();
  const url = await createStartUrl(service, link_token);
  const browser = new CookieJar();
  const elsewhere = new URL(url.href.replace("/oura", "/strava"));
  expect((await browser.open(elsewhere)).status).toBe(400);
  const response = await browser.open(url);
  const ticket = url.searchParams.get("ticket") ?? "";
  expect(response.headers.get("location")).not.toContain(ticket);
  const back = new URL(`${service.baseUrl}/v2/link/callback/oura?code=c&state=${ticket}`);
  browser.put(onlyCookie(browser)[0], onlyCookie(browser)[1]);
  expect(await openCallback(back, browser)).toMatchObject(REFUSED);
  const state = new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? "";
  url.searchParams.set("ticket", state);
  expect((await browser.open(url)).status).toBe(400);
});

test("a ticket expires after ten minutes, and a missing or wrong one starts no flow", async () => {
  const { link_token } = await someone();
  const url = await createStartUrl(service, link_token);
  const browser = new CookieJar();
  for (const ticket of ["", "guessed", "ot_guessed"]) {
    const wrong = new URL(url);
    wrong.searchParams.set("ticket", ticket);
    expect((await browser.open(wrong)).status).toBe(400);
  }
  expect((await browser.open(url.href.replace(/\?.*/, ""))).status).toBe(422);
  await service.advance(11 * 60_000);
  expect((await browser.open(url)).status).toBe(400);
  expect(browser.cookies.size).toBe(0);
});

test("a person whose browser did not start the flow reads the reason on an error page", async () => {
  const { callback, link_token, connected } = await underWay();
  const ticket = await createStartUrl(service, link_token);
  await new CookieJar().open(ticket);
  for (const url of [callback, ticket]) {
    const response = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    const { pathname, searchParams } = new URL(response.url);
    expect([pathname, searchParams.get("error_type"), searchParams.get("code")]).toEqual([
      "/v2/link/web",
      "token_not_validated",
      null,
    ]);
  }
  expect(await connected()).toBe(0);
});
