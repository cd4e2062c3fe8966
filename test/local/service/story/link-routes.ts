import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Answer, TestService } from "../../../support/service.ts";
import {
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "../connections/link-helpers.ts";
import { expireApplicationCache, removeTeamApplication, setTeamApplication } from "../connections/provider-pushes.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { callPushRoutes } from "./push-routes.ts";

const HOUR_MS = 3_600_000;
/** More text than a queue message can hold. */
const LONG = 80;

type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer["body"]>;

/**
 * Calls every route of the link flow and of phones for the first team.
 * @param forget makes functions read keys again.
 * @returns a user who is connected and signed in.
 */
export async function callLinkRoutes(service: TestService, forget: () => Promise<unknown>): Promise<string> {
  const ask: Ask = async (method, path, body, headers) => {
    await forget();
    const options = headers ? { key: null, headers } : {};
    const answer = await service.call(method, path, { ...options, ...(body ? { body } : {}) });
    expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
    return answer.body;
  };
  const user = await service.createUser("who links everything");
  await setPullDays(service, 2);
  await setTeamApplication(service, "oura");
  await forget();
  await callOAuthRoutes(service, forget, ask, user);
  await callPushRoutes(service, forget, user);
  await callLoginRoutes(service, ask, user);
  const refuse = (body: object) => service.call("POST", "/v2/sdk/session/refresh", { key: null, body });
  await callPageRoutes(service, forget, ask, user);
  await callPhoneRoutes(ask, user, refuse);
  await service.settle();
  await service.advance(HOUR_MS);
  return user;
}

/**
 * Creates connections in every lifecycle: ended by the team, refreshed, with a delayed queue message, ended by the
 * provider, ended before its pull, and connected when its user is erased.
 */
async function callOAuthRoutes(
  service: TestService,
  forget: () => Promise<unknown>,
  ask: Ask,
  user: string,
): Promise<void> {
  const { tokens } = service.started.service.providers.provider("oura");
  const finishing = findFunctionName(service, "finishOauthLink");
  for (const account of ["ada", "bob", "cid", "dan", "fay", "eve"]) {
    // More than one window.
    await setPullDays(service, account === "bob" ? 32 : 2);
    // Functions of one process share cached applications of the deployment, too.
    const anew = () => (account === "bob" ? expireApplicationCache(forget) : forget());
    if (account === "bob") await removeTeamApplication(service, "oura");
    const { link_token, headers } = await createLinkToken(service, user);
    await anew();
    for (const path of ["/v2/link/token", "/v2/link/state", "/v2/link/providers"]) {
      expect((await service.call("GET", path, { key: null, headers })).status).toBe(200);
    }
    if (account === "ada" || account === "bob") await callTeamLinkRoutes(ask, anew, user, link_token, headers);
    await callNotice(ask, headers);
    // Functions of one process share opened applications: another function opens this one.
    if (account === "ada") await setTeamApplication(service, "oura");
    await anew();
    const callback = await grantConsent(await openAuthorizationUrl(service, link_token), { account });
    await anew();
    // Functions of one process share opened credentials: the finishing function opens these.
    if (account === "ada") await setTeamApplication(service, "oura");
    if (account === "cid" || account === "fay")
      service.cloud.faults.add({ service: "sqs", function: finishing, mode: "fail_before" });
    expect((await openCallback(callback)).outcome).toMatchObject({ state: "success" });
    service.cloud.faults.clear();
    await anew();
    await callConsentRoutes(ask, user, headers, service.identity.team_id);
    if (account === "bob") tokens.expireAccessTokens();
    if (account === "dan") tokens.revoke(account);
    await anew();
    // The ending function opens the credentials of a connection that ends before its pull.
    if (account !== "fay") {
      await service.settle();
      await service.advance(HOUR_MS);
    }
    await anew();
    if (account !== "eve") await service.call("DELETE", `/v2/user/${user}/oura`);
  }
}

/** Reads the words of a connection. */
const callNotice = (ask: Ask, headers: Record<string, string>) =>
  ask("GET", "/v2/link/notice/oura", undefined, headers);

/** Reads the consent that a link gave, as the user, the team and anyone who verifies its receipt. */
async function callConsentRoutes(ask: Ask, user: string, headers: Record<string, string>, teamId: string) {
  const { consent_id } = await ask("GET", "/v2/link/consent", undefined, headers);
  await ask("GET", `/v2/consents/${user}`);
  await ask("GET", `/v2/consents/${user}/${consent_id}`);
  await ask("GET", `/v2/consent_keys/${teamId}`, undefined, {});
}

/** Calls the routes of links that older clients use. @param anew makes functions read applications again. */
async function callTeamLinkRoutes(
  ask: Ask,
  anew: () => Promise<unknown>,
  user_id: string,
  link_token: string,
  headers: Record<string, string>,
) {
  await ask("POST", "/v2/link/token/isValid", { token: link_token });
  await anew();
  await ask("POST", "/v2/link/start", { link_token, provider: "oura" });
  await anew();
  await ask("GET", "/v2/team/link/config", undefined, headers);
  await ask("POST", "/v2/link/provider/manual/omron_ble", { user_id, provider_id: link_token.slice(-8) });
}

async function callLoginRoutes(service: TestService, ask: Ask, user: string): Promise<void> {
  const whoop = "/v2/link/provider/password/whoop";
  const login = { username: "mfa@example.com", password: "right" };
  const first = await createLinkToken(service, user);
  await ask("POST", whoop, login, first.headers);
  await ask("POST", `${whoop}/complete_mfa`, { mfa_code: "123456" }, first.headers);
  const second = await createLinkToken(service, user);
  await ask("POST", "/v2/link/provider/password/renpho", { ...login, username: "ada" }, second.headers);
  const third = await createLinkToken(service, user);
  const email = { email: "ada@example.com", provider: "freestyle_libre" };
  await ask("POST", "/v2/link/provider/email/freestyle_libre", email, third.headers);
  await callOlderLoginRoutes(service, ask, user);
}

/** Opens the link page, a file of it, and the phone code that it shows. */
async function callPageRoutes(
  service: TestService,
  forget: () => Promise<unknown>,
  ask: Ask,
  user: string,
): Promise<void> {
  const { link_web_url, headers } = await createLinkToken(service, user);
  for (const address of [link_web_url, `${service.baseUrl}/v2/link/web/link.js`]) {
    await forget();
    expect((await fetch(address)).status).toBe(200);
  }
  await ask("POST", "/v2/link/provider/sdk/apple_health_kit", undefined, headers);
}

/** @param refuse uses a refresh token a second time, which ends its session. */
async function callPhoneRoutes(ask: Ask, user: string, refuse: (body: object) => Promise<unknown>): Promise<void> {
  await ask("POST", `/v2/link/code/create?user_id=${user}`);
  const signIn = async () => {
    const { sign_in_token } = await ask("POST", `/v2/user/${user}/sign_in_token`);
    return ask("POST", "/v2/sdk/session", { sign_in_token }, {});
  };
  const { refresh_token } = await signIn();
  const { access_token } = await ask("POST", "/v2/sdk/session/refresh", { refresh_token }, {});
  const bearer = { authorization: `Bearer ${access_token}` };
  const day = (index: number) => new Date(Date.UTC(2026, 3, 1 + index)).toISOString();
  const notes = Array.from({ length: LONG }, (_, index) => ({
    timestamp: day(index),
    value: randomBytes(3_000).toString("base64"),
  }));
  const about = { provider: "apple_health_kit", source_type: "phone", stage: "historical", sync_id: "all" };
  const heartrate = [{ timestamp: day(0), value: 60 }];
  await ask("POST", "/v2/sdk/sync", { ...about, part: 1, done: false, resources: { heartrate } }, bearer);
  await ask("POST", "/v2/sdk/sync", { ...about, part: 2, done: true, resources: { note: notes } }, bearer);
  await refuse({ refresh_token });
  const { access_token: again } = await signIn();
  await ask("POST", "/v2/sdk/session/revoke", undefined, { authorization: `Bearer ${again}` });
  await signIn();
}

/** Calls the logins of older clients, which name the provider in the body. */
async function callOlderLoginRoutes(service: TestService, ask: Ask, user: string): Promise<void> {
  const pending = await createLinkToken(service, user);
  const login = { username: "mfa@example.com", password: "right", provider: "whoop", auth_type: "password" };
  await ask("POST", "/v2/link/auth", login, pending.headers);
  const byPassword = await createLinkToken(service, user);
  await ask("POST", "/v2/link/auth", { ...login, username: "bob" }, byPassword.headers);
  const byEmail = await createLinkToken(service, user);
  const email = { email: "bob@example.com", provider: "freestyle_libre", auth_type: "email" };
  await ask("POST", "/v2/link/auth/email", email, byEmail.headers);
}
