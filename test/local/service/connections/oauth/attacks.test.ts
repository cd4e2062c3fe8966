import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OAuthDescription } from "../../../../../lib/connectors/connector.ts";
import { AuthorizationRefused, buildAuthorizationUrl, exchangeCode } from "../../../../../lib/connectors/oauth.ts";
import type { ProviderRequest } from "../../../../../lib/connectors/provider-client.ts";
import { AccessEnded, ProviderUnavailable } from "../../../../../lib/connectors/provider-error.ts";
import { TestService } from "../../../../support/service.ts";
import {
  CookieJar,
  callWithLinkToken,
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  RETURN_URL,
  setPullDays,
} from "../link-helpers.ts";

let service: TestService;
let evil: Server;
const caught: string[] = [];
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
  evil = createServer((request, response) => {
    caught.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  evil.close();
  await service.stop();
});

let users = 0;
/** Starts the OAuth flow of a user: link token, callback URL, and a function that counts its connections. */
async function underWay(account = "victim") {
  users += 1;
  const user = await service.createUser(`user-${users}`);
  const { link_token } = await createLinkToken(service, user);
  const url = await openAuthorizationUrl(service, link_token);
  const callback = await grantConsent(url, { account });
  const connected = async () => (await service.call("GET", `/v2/user/providers/${user}`)).body.providers.length;
  return { user, link_token, url, callback, connected };
}

/** Whether a response is a refusal without a redirect. */
const isRefused = ({ status, location }: { status: number; location: string | null }) =>
  expect([status, location]).toEqual([400, null]);

const withParameter = (url: URL, name: string, value: string | null) => {
  const changed = new URL(url);
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed;
};

describe("a callback is refused", () => {
  test("1: with an unknown state", async () => {
    const { callback, connected } = await underWay();
    isRefused(await openCallback(withParameter(callback, "state", "os_guessed")));
    expect(await connected()).toBe(0);
  });

  test("2: without a state, or with two", async () => {
    const { callback, connected } = await underWay();
    isRefused(await openCallback(withParameter(callback, "state", null)));
    const twice = new URL(callback);
    twice.searchParams.append("state", callback.searchParams.get("state") ?? "");
    isRefused(await openCallback(twice));
    expect(await connected()).toBe(0);
  });

  test("3: a second time, even while the first one is being processed", { tags: "deep" }, async () => {
    const { callback, connected } = await underWay();
    const answers = await Promise.all([openCallback(callback), openCallback(callback), openCallback(callback)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 400, 400]);
    isRefused(await openCallback(callback));
    expect(await connected()).toBe(1);
  });

  test("4: after ten minutes", { tags: "deep" }, async () => {
    const { callback, connected } = await underWay();
    await service.advance(11 * 60_000);
    isRefused(await openCallback(callback));
    expect(await connected()).toBe(0);
  });

  test("5: at the callback of another provider (mix-up)", async () => {
    const { callback, connected } = await underWay();
    const elsewhere = new URL(callback);
    elsewhere.pathname = elsewhere.pathname.replace("oura", "strava");
    expect((await openCallback(elsewhere)).status).toBe(400);
    expect(await connected()).toBe(0);
  });

  test("6: with another issuer than that of the authorization request (mix-up, RFC 9207)", async () => {
    const { callback, connected } = await underWay();
    const { outcome } = await openCallback(withParameter(callback, "iss", "https://evil.example.com"));
    expect(outcome).toMatchObject({ state: "error", error_type: "provider_api_error" });
    expect(await connected()).toBe(0);
  });

  test("7: with a code that was used, or never issued (code replay and injection)", async () => {
    const first = await underWay();
    await openCallback(first.callback);
    const code = first.callback.searchParams.get("code");
    const second = await underWay();
    const replayed = await openCallback(withParameter(second.callback, "code", code));
    expect(replayed.outcome).toMatchObject({ state: "error", error_type: "provider_credential_error" });
    const third = await underWay();
    const { outcome } = await openCallback(withParameter(third.callback, "code", "stolen"));
    expect(outcome).toMatchObject({ state: "error", error_type: "provider_credential_error" });
    expect([await second.connected(), await third.connected()]).toEqual([0, 0]);
  });

  test("8: with duplicate parameters, or with a token instead of a code", async () => {
    const { callback, connected } = await underWay();
    const twice = new URL(callback);
    twice.searchParams.append("code", "another");
    expect((await openCallback(twice)).outcome).toMatchObject({ state: "error" });
    const implicit = await underWay();
    const withToken = withParameter(withParameter(implicit.callback, "code", null), "access_token", "token");
    expect((await openCallback(withToken)).outcome).toMatchObject({ state: "error" });
    expect([await connected(), await implicit.connected()]).toEqual([0, 0]);
  });

  test("9: for a link token that was consumed or expired in the meantime", async () => {
    const { link_token, callback, connected } = await underWay();
    const other = await grantConsent(await openAuthorizationUrl(service, link_token), { account: "another" });
    expect((await openCallback(other)).outcome).toMatchObject({ state: "success" });
    expect((await openCallback(callback)).outcome).toMatchObject({ error_type: "token_consumed" });
    expect(await connected()).toBe(1);
  });
});

describe("a redirect leads only to URLs of the team", () => {
  test("10: whatever the callback parameters say (open redirect)", async () => {
    const target = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
    const { callback } = await underWay();
    for (const name of ["redirect_url", "redirect_uri", "next", "error_uri"]) callback.searchParams.set(name, target);
    const { location } = await openCallback(callback);
    expect(new URL(location ?? "").origin).toBe(new URL(RETURN_URL).origin);
    expect(location).not.toContain(encodeURIComponent(target));
  });

  test("11: and never to a script URL or a URL that hides its host, for any redirect of a token", async () => {
    const user = await service.createUser("redirected");
    const addresses = ["javascript:alert(1)", "data:text/html,x", "https://a@evil.example.com", "//evil.example.com"];
    for (const redirect_url of addresses) {
      const { status } = await service.call("POST", "/v2/link/token", { body: { user_id: user, redirect_url } });
      expect([redirect_url, status]).toEqual([redirect_url, 422]);
    }
  });

  test("12: and the provider redirects only to our callback, and does not reveal a code", async () => {
    const { link_token } = await underWay();
    const url = await openAuthorizationUrl(service, link_token);
    expect(url.searchParams.get("redirect_uri")).toBe(`${service.baseUrl}/v2/link/callback/oura`);
    const response = await fetch(withParameter(url, "redirect_uri", "https://evil.example.com/"), {
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    const browser = new CookieJar();
    const begun = await openAuthorizationUrl(service, (await underWay()).link_token, "oura", browser);
    const callback = await grantConsent(begun, { account: "another" });
    const back = await browser.open(callback);
    expect(back.headers.get("referrer-policy")).toBe("no-referrer");
    expect(back.headers.get("location")).not.toContain(callback.searchParams.get("code"));
  });
});

describe("an OAuth flow belongs to its link token", () => {
  test("13: which no other credential replaces, and whose secret is in no URL that a provider sees", async () => {
    const { url, link_token } = await underWay();
    expect(url.href).not.toContain(link_token);
    const begin = (token: string) => callWithLinkToken(service, "GET", "/v2/link/provider/oauth/oura", token);
    for (const token of [service.identity.api_key, url.searchParams.get("state") ?? "", ""]) {
      expect((await begin(token)).status).toBe(401);
    }
  });
});

describe("14: the code verifier of a provider with PKCE", () => {
  const description: OAuthDescription = {
    authorizationUrl: "https://provider.example.com/authorize",
    tokenUrl: "https://provider.example.com/token",
    scopes: ["daily"],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "basic",
    pkce: true,
    fetchAccountId: async () => "account",
  };
  const app = { clientId: "client", clientSecret: "secret" };
  const redirectUri = "https://api.example.com/v2/link/callback/provider";
  const codeVerifier = "v".repeat(43);
  const sent: { url: string; request: ProviderRequest }[] = [];
  const answering =
    (body: object, status = 200) =>
    async (url: string, request: ProviderRequest) => {
      sent.push({ url, request });
      return Response.json(body, { status });
    };
  const exchange = (fetch: ReturnType<typeof answering>, redirect: string, verifier?: string) =>
    exchangeCode(description, { app, redirectUri, fetch }, new URLSearchParams(redirect), {
      state: "s",
      codeVerifier: verifier,
    });

  test("is sent only as its hash in the authorization request, and in full in the token request (downgrade)", async () => {
    const request = { clientId: "client", redirectUri, scopes: ["daily"], state: "s", codeVerifier };
    const url = new URL(buildAuthorizationUrl(description, request));
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.href).not.toContain(codeVerifier);
    await exchange(answering({ access_token: "a", token_type: "bearer" }), "code=c&state=s", codeVerifier);
    const { request: last } = sent.at(-1)!;
    expect(new URLSearchParams(last.body).get("code_verifier")).toBe(codeVerifier);
    expect(last.headers.authorization).toMatch(/^Basic /);
    expect(last.body).not.toContain("secret");
  });

  test("that does not match, or an invalid token response, gives no access", async () => {
    const refusing = answering({ error: "invalid_grant" }, 400);
    await expect(exchange(refusing, "code=c&state=s", codeVerifier)).rejects.toThrow(AccessEnded);
    const empty = answering({ token_type: "bearer" });
    await expect(exchange(empty, "code=c&state=s", codeVerifier)).rejects.toThrow(ProviderUnavailable);
    const redirecting = answering({}, 302);
    await expect(exchange(redirecting, "code=c&state=s", codeVerifier)).rejects.toThrow(ProviderUnavailable);
  });

  test("is not sent for a callback with another state, another issuer or an error", async () => {
    const before = sent.length;
    const fetch = answering({ access_token: "a", token_type: "bearer" });
    const other = "iss=https%3A%2F%2Fevil.example.com";
    await expect(exchange(fetch, "code=c&state=x", codeVerifier)).rejects.toThrow(ProviderUnavailable);
    await expect(exchange(fetch, `code=c&state=s&${other}`, codeVerifier)).rejects.toThrow(ProviderUnavailable);
    await expect(exchange(fetch, "error=access_denied&state=s", codeVerifier)).rejects.toThrow(AuthorizationRefused);
    expect(sent).toHaveLength(before);
  });
});
