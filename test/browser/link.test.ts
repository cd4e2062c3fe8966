import { globSync, readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setPullDays } from "../local/service/connections/link-helpers.ts";
import { TestService } from "../support/service.ts";
import { launchChromium } from "./chromium.ts";
import { LinkVisit, REDIRECT_URL } from "./link-visit.ts";

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.start(), launchChromium()]);
  await setPullDays(service, 0);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

let visit: LinkVisit;
beforeEach(async () => {
  visit = await LinkVisit.open(service, browser);
});
afterEach(async () => {
  await visit.page.close();
  expect(visit.pageErrors).toEqual([]);
});

let people = 0;
/** Opens the link of a new user. @returns the user and the token. */
async function open(about: object = {}) {
  people += 1;
  const user_id = await service.createUser(`linker ${people}`);
  const { body } = await service.call("POST", "/v2/link/token", { body: { user_id, ...about } });
  const response = await visit.page.goto(body.link_web_url);
  return { user_id, token: body.link_token as string, url: body.link_web_url as string, response };
}
const back = { redirect_url: REDIRECT_URL };
const connected = async (user_id: string) =>
  (await service.call("GET", `/v2/user/providers/${user_id}`)).body.providers.map(({ slug }: { slug: string }) => slug);
const shownNames = () => visit.page.locator("#entries > li:visible strong").allInnerTexts();

describe("the list", () => {
  test("shows every linkable provider and filters by name and kind [linking-04] [linking-07] [linking-18]", async () => {
    const { response } = await open();
    expect(response?.status()).toBe(200);
    await visit.waitForHeading(/^Connect your data to /);
    expect(visit.page.url()).toBe(`${service.baseUrl}/v2/link/web`);
    expect(await shownNames()).toEqual(expect.arrayContaining(["Oura", "Freestyle Libre", "Apple HealthKit"]));
    expect(await shownNames()).not.toContain("Runkeeper");
    await visit.inspect("list");
    await visit.fill("Search", "scales");
    await visit.page.getByText(/^\d of \d+ sources$/).waitFor();
    expect(await shownNames()).toContain("Renpho");
    expect(await shownNames()).not.toContain("Oura");
    await visit.fill("Search", "nobody has this");
    await visit.page.getByText("No source matches.").waitFor();
    await visit.inspect("list-none");
  });

  test("shows only the providers that the token allows [linking-06]", async () => {
    await open({ filter_on_providers: ["whoop", "oura", "runkeeper"] });
    await visit.waitForHeading(/^Connect your data to /);
    expect(await shownNames()).toEqual(["Oura", "WHOOP"]);
    expect(await visit.page.getByLabel("Search").isVisible()).toBe(false);
    await visit.inspect("list-few");
  });

  test("works by keyboard alone, forward and back, and does not restart after it created a connection", async () => {
    await open({ filter_on_providers: ["whoop", "peloton"] });
    await visit.waitForHeading(/^Connect your data to /);
    await visit.page.keyboard.press("Tab");
    await visit.page.keyboard.press("Enter");
    await visit.waitForHeading("Sign in to Peloton");
    await visit.page.goBack();
    await visit.waitForHeading(/^Connect your data to /);
    await visit.press(/WHOOP/);
    await visit.waitForHeading("Sign in to WHOOP");
    await visit.press("Back");
    await visit.waitForHeading(/^Connect your data to /);
    for (const key of ["Tab", "Enter"]) await visit.page.keyboard.press(key);
    await visit.waitForHeading("Sign in to Peloton");
    await visit.page.keyboard.press("Tab");
    await visit.page.keyboard.type("ada");
    await visit.page.keyboard.press("Tab");
    await visit.page.keyboard.type("right");
    await visit.page.keyboard.press("Enter");
    await visit.waitForHeading("Peloton is connected");
    await visit.page.goBack();
    await visit.waitForHeading("Peloton is connected");
    await visit.page.reload();
    await visit.waitForHeading("This link was already used");
  });

  test("survives a reload", async () => {
    await open();
    await visit.waitForHeading(/^Connect your data to /);
    await visit.page.reload();
    await visit.waitForHeading(/^Connect your data to /);
  });
});

describe("a provider by OAuth", () => {
  test("is connected when the user allows it, and the user returns to the team", async () => {
    const { user_id } = await open(back);
    await visit.press(/^Oura/);
    await visit.waitForHeading(/^Share your Oura data with /);
    await visit.inspect("consent");
    await visit.press("Continue to Oura");
    await visit.press("Allow");
    expect(await visit.redirectParameters()).toEqual({ from: "test", state: "success" });
    expect(await connected(user_id)).toEqual(["oura"]);
  });

  test("opens immediately if the token names it or allows no other, and the page shows the outcome without a redirect URL [linking-03]", async () => {
    const { user_id } = await open({ provider: "oura" });
    await visit.press("Allow");
    await visit.waitForHeading("Oura is connected");
    expect(await connected(user_id)).toEqual(["oura"]);
    await visit.inspect("success");
    await visit.page.reload();
    await visit.waitForHeading("Oura is connected");
    await open({ filter_on_providers: ["oura"] });
    await visit.press("Allow");
    await visit.waitForHeading("Oura is connected");
  });

  test("that the user denies sends the user back with the error, with and without on_error [linking-12]", async () => {
    for (const on_error of [null, "redirect"]) {
      await open({ ...back, on_error, provider: "oura" });
      await visit.press("Deny");
      expect(await visit.redirectParameters()).toMatchObject({
        from: "test",
        state: "error",
        error_type: "user_cancelled",
      });
    }
  });

  test("that the user denies can be retried without a redirect URL", async () => {
    const { user_id } = await open();
    await visit.press(/^Oura/);
    await visit.press("Continue to Oura");
    await visit.press("Deny");
    await visit.waitForHeading("Nothing was connected");
    await visit.inspect("cancelled");
    await visit.press("Try again");
    await visit.press(/^Oura/);
    await visit.press("Continue to Oura");
    await visit.press("Allow");
    await visit.waitForHeading("Oura is connected");
    expect(await connected(user_id)).toEqual(["oura"]);
  });

  test("that the user returns from too late shows a message", async () => {
    await open({ provider: "oura" });
    await visit.page.getByRole("button", { name: "Allow" }).waitFor();
    await service.advance(11 * 60_000);
    await visit.press("Allow");
    await visit.waitForHeading("This sign-in cannot be finished here");
  });

  test("without a connector shows a message and no retry", async () => {
    await open({ provider: "runkeeper" });
    await visit.waitForHeading("Runkeeper cannot be connected here yet");
    expect(await visit.page.getByRole("button").allInnerTexts()).toEqual(["Close"]);
    await visit.inspect("not-possible");
  });
});

describe("a provider by password", () => {
  test("asks for a code, allows another try after a wrong code, and is connected by the right code", async () => {
    const { user_id } = await open(back);
    await visit.press(/connected by password.*WHOOP|WHOOP.*connected by password/);
    await visit.waitForHeading("Sign in to WHOOP");
    await visit.inspect("login");
    await visit.fill("Email or username", "mfa@example.com");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    await visit.waitForHeading("Enter your code");
    await visit.page.getByText("by email to m***@example.com").waitFor();
    await visit.fill("Code", "000000");
    await visit.press("Confirm");
    await visit.page.getByRole("alert").filter({ hasText: "The code is not correct" }).waitFor();
    await visit.inspect("code");
    await visit.fill("Code", "123456");
    await visit.page.keyboard.press("Enter");
    expect(await visit.redirectParameters()).toEqual({ from: "test", state: "success" });
    expect(await connected(user_id)).toEqual(["whoop"]);
  });

  test("allows a return from the code to the form, for another name", async () => {
    const { user_id } = await open({ provider: "whoop" });
    await visit.fill("Email or username", "mfa@example.com");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    await visit.waitForHeading("Enter your code");
    await visit.press("Back");
    await visit.waitForHeading("Sign in to WHOOP");
    await visit.fill("Email or username", "ada@example.com");
    await visit.press("Connect");
    await visit.waitForHeading("WHOOP is connected");
    expect(await connected(user_id)).toEqual(["whoop"]);
  });

  test("that is connected shows what the user agreed to, to print", async () => {
    const { user_id } = await open({ provider: "whoop" });
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    await visit.waitForHeading("WHOOP is connected");
    await visit.page.getByText("What you agreed to").click();
    await visit.page.getByText(/^cns_[0-9a-f]{32}$/).waitFor();
    await visit.inspect("receipt");
    const { consents } = (await service.call("GET", `/v2/consents/${user_id}`)).body;
    const [, ...shown] = consents[0].record.notice.text.split("\n\n");
    expect(await visit.page.locator("#receipt-words p").allInnerTexts()).toEqual(shown);
    await visit.page.evaluate("window.print = () => { window.printed = true; }");
    await visit.press("Print");
    expect(await visit.page.evaluate("window.printed")).toBe(true);
  });

  test("that refuses a password shows the error above the form, which the user can correct [linking-11]", async () => {
    const { user_id } = await open({ ...back, provider: "whoop" });
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "wrong");
    await visit.press("Connect");
    await visit.page.getByRole("alert").filter({ hasText: "The sign-in failed" }).waitFor();
    expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe("field-password");
    await visit.inspect("login-refused");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    expect(await visit.redirectParameters()).toEqual({ from: "test", state: "success" });
    expect(await connected(user_id)).toEqual(["whoop"]);
  });

  test("that fails sends the user back with the error if on_error says so [linking-10]", async () => {
    await open({ ...back, provider: "whoop", on_error: "redirect" });
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "wrong");
    await visit.press("Connect");
    expect(await visit.redirectParameters()).toMatchObject({ state: "error", error_type: "provider_credential_error" });
    await open({ ...back, provider: "whoop", on_error: "redirect" });
    await visit.fill("Email or username", "mfa@example.com");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    await visit.fill("Code", "000000");
    await visit.press("Confirm");
    expect(await visit.redirectParameters()).toMatchObject({ state: "error", error_type: "incorrect_mfa_code" });
  });

  test("whose token expires meanwhile shows a message, here or at the team's page", async () => {
    for (const on_error of [null, "redirect"]) {
      await open({ ...back, provider: "whoop", on_error });
      await visit.waitForHeading("Sign in to WHOOP");
      await service.advance(61 * 60_000);
      await visit.fill("Email or username", "ada@example.com");
      await visit.fill("Password", "right");
      await visit.press("Connect");
      if (on_error === null) await visit.waitForHeading("This link has expired");
      else expect(await visit.redirectParameters()).toMatchObject({ state: "error", error_type: "token_expired" });
    }
  });
});

test("a provider by e-mail is connected by address and region, and the page shows the outcome", async () => {
  const { user_id } = await open({ filter_on_providers: ["freestyle_libre"] });
  await visit.waitForHeading("Sign in to Freestyle Libre");
  expect(await visit.page.getByText("Your password").isVisible()).toBe(false);
  await visit.page.getByLabel("Region of your account").selectOption("Germany");
  await visit.fill("Email", "ada@example.com");
  await visit.inspect("email");
  await visit.press("Connect");
  await visit.waitForHeading("Freestyle Libre is connected");
  expect(await connected(user_id)).toEqual(["freestyle_libre"]);
});

test("a provider on the phone shows a code that signs in the user's phone once", async () => {
  const { user_id, token } = await open({ provider: "apple_health_kit" });
  await visit.waitForHeading("Connect Apple HealthKit on your phone");
  const qr = visit.page.getByRole("img", { name: /^QR code/ });
  expect(await qr.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  await visit.inspect("phone");
  const sign_in_token = await visit.page.locator("#phone-code").textContent();
  const signIn = () => service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  expect((await signIn()).body.user_id).toBe(user_id);
  expect((await signIn()).status).toBe(401);
  const headers = { "x-service-link-token": token };
  const other = await service.call("POST", "/v2/link/provider/sdk/oura", { key: null, headers });
  expect([other.status, other.body.detail.error_type]).toEqual([400, "INVALID_PROVIDER"]);
});

describe("a slow connection", () => {
  test("shows progress at every step and sends a repeated form once", async () => {
    const token = await visit.holdRequests("/v2/link/token");
    const login = await visit.holdRequests("/v2/link/provider/password/whoop");
    const { user_id } = await open({ filter_on_providers: ["whoop", "oura"] });
    await visit.waitForHeading("One moment…");
    await visit.inspect("waiting");
    token.release();
    await visit.press(/^WHOOP/);
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "right");
    await visit.page.getByRole("button", { name: "Connect" }).dblclick();
    await visit.page.keyboard.press("Enter");
    await visit.page.getByRole("button", { name: "One moment…" }).waitFor();
    login.release();
    await visit.waitForHeading("WHOOP is connected");
    expect([login.count(), await connected(user_id)]).toEqual([1, ["whoop"]]);
  });

  test("changes nothing for a user who went back, and creates one code for a double click", async () => {
    const oauth = await visit.holdRequests("/v2/link/provider/oauth/oura*");
    const login = await visit.holdRequests("/v2/link/provider/password/whoop");
    const phone = await visit.holdRequests("/v2/link/provider/sdk/health_connect");
    await open({ filter_on_providers: ["whoop", "oura", "health_connect"] });
    await visit.press(/^WHOOP/);
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "wrong");
    await visit.press("Connect");
    await visit.press("Back");
    await visit.waitForHeading(/^Connect your data to /);
    login.release();
    await visit.page.getByRole("button", { name: /^Health Connect/ }).dblclick();
    await visit.page.getByRole("heading", { name: "One moment…" }).waitFor();
    phone.release();
    await visit.waitForHeading("Connect Health Connect on your phone");
    expect(phone.count()).toBe(1);
    await visit.press("Back");
    await visit.press(/^Oura/);
    await visit.press("Continue to Oura");
    await visit.waitForHeading("Taking you to Oura…");
    await visit.inspect("leaving");
    oauth.release();
    await visit.page.getByRole("button", { name: "Allow" }).waitFor();
    await visit.page.goBack();
    await visit.waitForHeading(/^Connect your data to /);
  });

  test("that fails shows the error in the form, which keeps its input, or offers a retry", async () => {
    await open({ provider: "whoop" });
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "right");
    await visit.page.route("**/v2/link/**", (route) => route.abort());
    await visit.press("Connect");
    await visit.page.getByRole("alert").filter({ hasText: "The service cannot be reached" }).waitFor();
    await visit.page.unroute("**/v2/link/**");
    await visit.page.route("**/v2/link/token", (route) => route.abort());
    await visit.page.reload();
    await visit.waitForHeading("The service cannot be reached");
    await visit.inspect("unreachable");
    await visit.page.unroute("**/v2/link/token");
    await visit.press("Try again");
    await visit.waitForHeading("Sign in to WHOOP");
  });
});

test("an app redirect shows a link, for browsers that do not open apps by themselves", async () => {
  await open({ provider: "whoop", redirect_url: "exampleapp://linked", on_close: "redirect" });
  await visit.waitForHeading("Sign in to WHOOP");
  await visit.press("Close");
  await visit.waitForHeading("Taking you back…");
  const link = visit.page.getByRole("link", { name: /^Continue to / });
  expect(await link.getAttribute("href")).toMatch(/^exampleapp:\/\/linked\?state=error&error_type=user_cancelled/);
  await visit.inspect("returning");
});

describe("Close", () => {
  test("sends the user back if on_close says so [linking-15]", async () => {
    await open({ ...back, on_close: "redirect" });
    await visit.press("Close");
    expect(await visit.redirectParameters()).toEqual({
      from: "test",
      state: "error",
      error_type: "user_cancelled",
      error: expect.any(String),
    });
  });

  test("otherwise ends the page, and can be undone", async () => {
    await open(back);
    await visit.press("Close");
    await visit.waitForHeading("Nothing was connected");
    await visit.inspect("closed");
    await visit.press("Choose a source");
    await visit.waitForHeading(/^Connect your data to /);
  });
});

describe("an invalid link", () => {
  test("shows an error page if it is expired, used or unknown", async () => {
    const opened = await open({ provider: "whoop" });
    await visit.fill("Email or username", "ada@example.com");
    await visit.fill("Password", "right");
    await visit.press("Connect");
    await visit.waitForHeading("WHOOP is connected");
    const used = await visit.page.goto(opened.url);
    await visit.waitForHeading("This link was already used");
    await visit.inspect("used");
    const unknown = await visit.page.goto(`${service.baseUrl}/v2/link/web?token=lt_nobodys`);
    await visit.waitForHeading("This link is not valid");
    const { url } = await open();
    await service.advance(61 * 60_000);
    const over = await visit.page.goto(url);
    await visit.waitForHeading("This link has expired");
    expect([used, unknown, over].map((response) => response?.status())).toEqual([404, 404, 404]);
    await visit.page.goto(`${service.baseUrl}/v2/link/web`);
    await visit.waitForHeading("This link has expired");
  });

  test.each([
    ["provider_credential_error", "The sign-in failed"],
    ["provider_password_expired", "Your password has expired"],
    ["provider_api_error", "The provider did not answer as expected"],
    ["unsupported_region", "The provider has no accounts in this region"],
    ["duplicate_connection", "This account is already connected"],
    ["required_scopes_not_granted", "Some permissions are missing"],
    ["no_such_type", "The provider did not answer as expected"],
  ])("for %s shows its own message: %s", async (type, words) => {
    await visit.page.goto(`${service.baseUrl}/v2/link/web?state=error&error_type=${type}&error=%3Cb%3Eforeign`);
    await visit.waitForHeading(words);
    expect(await visit.page.getByText("foreign").count()).toBe(0);
  });
});

test("the service stores the token in no log and no file, and no other site may frame the page", async () => {
  const { token, response } = await open();
  await visit.waitForHeading(/^Connect your data to /);
  const headers = await response?.allHeaders();
  expect(headers?.["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect([headers?.["referrer-policy"], headers?.["cache-control"]]).toEqual(["no-referrer", "no-store"]);
  expect(await visit.page.content()).not.toContain(token);
  await service.settle();
  const files = globSync("**/*", { cwd: service.data.path, withFileTypes: true }).filter((file) => file.isFile());
  const holding = files.filter((file) => readFileSync(`${file.parentPath}/${file.name}`).includes(token));
  expect([files.length > 0, holding.map(({ name }) => name)]).toEqual([true, []]);
});

test.each([
  ["GET", "/v2/link/token", "x-service-link-token"],
  ["GET", "/v2/link/providers", "x-vital-link-token"],
  ["GET", "/v2/link/provider/oauth/oura", "x-service-link-token"],
  ["POST", "/v2/link/provider/password/whoop", "x-service-link-token"],
  ["POST", "/v2/link/provider/password/whoop/complete_mfa", "x-vital-link-token"],
  ["POST", "/v2/link/provider/email/freestyle_libre", "x-service-link-token"],
  ["POST", "/v2/link/provider/sdk/apple_health_kit", "x-service-link-token"],
  ["POST", "/v2/sdk/session", "content-type"],
  ["POST", "/v2/sdk/session/refresh", "content-type"],
  ["POST", "/v2/sdk/session/revoke", "authorization"],
  ["POST", "/v2/sdk/sync", "authorization"],
])("a page of another site may %s %s with the header %s, and read the response", async (method, path, header) => {
  // The simulators have another port and therefore are another site.
  await visit.page.goto(process.env.PROVIDER_BASE_URL ?? "");
  const headers = { "content-type": "application/json", [header]: "application/json" };
  const init = { method, headers, body: method === "POST" ? "{}" : null };
  const asked = { url: `${service.baseUrl}${path}`, init };
  const status = await visit.page.evaluate(async ({ url, init }) => (await fetch(url, init)).status, asked);
  expect([401, 422]).toContain(status);
});
