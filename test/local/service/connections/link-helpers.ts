import { expect } from "vitest";
import type { Answer, TestService } from "../../../support/service.ts";

/** Redirect URL of test users after the link flow. */
export const RETURN_URL = "https://app.example.com/linked?from=test";

/** Creates a link token for a user. @returns the token and its header. */
export async function createLinkToken(service: TestService, user_id: string, more: object = {}, key?: string) {
  const options = { body: { user_id, redirect_url: RETURN_URL, ...more }, ...(key ? { key } : {}) };
  const { body } = await service.call("POST", "/v2/link/token", options);
  return { ...body, headers: { "x-service-link-token": body.link_token as string } };
}

/** Sends a request with a link token alone. */
export const callWithLinkToken = (
  service: TestService,
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<Answer> =>
  service.call(method, path, {
    key: null,
    headers: { "x-service-link-token": token },
    ...(body === undefined ? {} : { body }),
  });

/** A browser with cookies. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Requests a URL without following redirects. */
  async open(url: URL | string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { ...headers, ...(cookie && { cookie }) } });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split(/=(.*)/s);
      if (/; max-age=0(?:;|$)/i.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** Sets a cookie, as an attacker might. */
  put(name: string, value: string): void {
    this.#cookies.set(name, value);
  }
}

/** The browser of callers that name no other. */
const defaultBrowser = new CookieJar();

/** Returns the URL at which a browser starts the flow with a provider. */
export async function createStartUrl(service: TestService, token: string, provider = "oura"): Promise<URL> {
  const { status, body } = await callWithLinkToken(service, "GET", `/v2/link/provider/oauth/${provider}`, token);
  expect([status, body.code ?? ""]).toEqual([200, ""]);
  return new URL(body.oauth_url);
}

/** Opens the start URL of the flow. @returns the authorization URL of the provider. */
export async function openAuthorizationUrl(
  service: TestService,
  token: string,
  provider = "oura",
  browser: CookieJar = defaultBrowser,
): Promise<URL> {
  const response = await browser.open(await createStartUrl(service, token, provider));
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

/** Answers the consent page of the provider. @returns the callback URL. */
export async function grantConsent(url: URL, answer: Readonly<Record<string, string>> = {}): Promise<URL> {
  const page = new URL(url);
  for (const [name, value] of Object.entries({ auto: "allow", ...answer })) page.searchParams.set(name, value);
  const response = await fetch(page, { redirect: "manual" });
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

/** Opens the callback URL. @returns the final redirect, with the outcome in its query. */
export async function openCallback(callback: URL, browser: CookieJar = defaultBrowser) {
  const response = await browser.open(callback);
  const location = response.headers.get("location");
  const outcome = location === null ? {} : Object.fromEntries(new URL(location).searchParams);
  return { status: response.status, location, outcome, text: await response.text() };
}

/** Connects a user to an account at a provider. */
export async function connectAccount(
  service: TestService,
  userId: string,
  account: string,
  provider = "oura",
  key?: string,
) {
  const { link_token } = await createLinkToken(service, userId, {}, key);
  const { outcome } = await openCallback(
    await grantConsent(await openAuthorizationUrl(service, link_token, provider), { account }),
  );
  expect(outcome).toMatchObject({ state: "success" });
}

/** Settings of teams; a new setting replaces the previous one as a whole. */
const pulled = new WeakMap<TestService, Map<string, object>>();

/** Sets how many days of a provider's history the team pulls; the default is half a year. */
export async function setPullDays(
  service: TestService,
  historical_days_to_pull: number,
  provider = "oura",
  team_id = service.identity.team_id,
) {
  const { org_id } = service.identity;
  const ofTeams = pulled.get(service) ?? new Map<string, object>();
  const providers = { ...ofTeams.get(team_id), [provider]: { default: { historical_days_to_pull } } };
  pulled.set(service, ofTeams.set(team_id, providers));
  const body = { team_ids: [team_id], providers };
  const path = `/v1/org/${org_id}/team_data_pull_preferences/sandbox/us`;
  expect((await service.manage("POST", path, { body })).status).toBe(200);
}
