import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenIdPeer } from "../../../support/peers/open-id-peer.ts";
import { TestService } from "../../../support/service.ts";
import { scanAllItems } from "../support/search-stored-data.ts";
import { callInConsole, consoleHeader, cookieOf, openConsole } from "./console-helpers.ts";
import {
  askSignIn,
  beginSignIn,
  finishSignIn,
  inSession,
  providerPath,
  setProvider,
  signInAs,
} from "./sign-in-helpers.ts";

const MINUTE_MS = 60_000;
/** Start of the keys of sign-ins that wait for their provider. */
const CONSOLE_SIGN_INS = "console_sign_in#";

let service: TestService;
let peer: OpenIdPeer;
beforeAll(async () => {
  service = await TestService.start();
  peer = await OpenIdPeer.start(`${service.baseUrl}/console/sign-in`);
  await setProvider(service, peer);
});
afterAll(async () => {
  await peer?.stop();
  await service?.stop();
});

const org = () => `/v1/org/${service.identity.org_id}`;
const statusOf = async (held: Record<string, string>) => (await callInConsole(service, held, "GET", "/v2/user")).status;

describe("a person of the provider", () => {
  test.each([
    ["reader-1", "Rea Der (reader-1)", "reader", ["read", "labs"]],
    ["support-1", "Sup Port (support-1)", "support", ["read", "webhooks"]],
    ["clinician-1", "Cli Nician (clinician-1)", "clinician", ["read", "labs"]],
    ["admin-1", "Ad Min (admin-1)", "admin", ["read", "ingest", "link", "labs", "webhooks", "users"]],
  ])("%s gets the session %s of the role %s", { tags: "deep" }, async (account, name, role, scopes) => {
    const answer = await signInAs(service, peer, account);
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({ name, role, scopes, subject: account, team_id: service.identity.team_id }),
    ]);
    const [session = "", ended = ""] = answer.headers.getSetCookie();
    expect(session).toMatch(/^tributary_console=cs_[\w-]{86}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    expect(ended).toMatch(/^tributary_sign_in_\w{16}=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
    const { return_to, ...shown } = answer.body;
    expect(return_to).toBe("/console");
    const read = await callInConsole(service, inSession(answer), "GET", "/console/session");
    expect([read.status, read.body]).toEqual([200, shown]);
  });

  test("is who looked, in the access log", async () => {
    const userId = await service.createUser("looked at");
    const held = inSession(await signInAs(service, peer, "support-1"));
    expect((await callInConsole(service, held, "GET", `/v2/user/${userId}`)).status).toBe(200);
    const { body } = await service.manage("GET", `${org()}/team/${service.identity.team_id}/access_log`);
    expect(body.entries ?? body.data ?? body).toContainEqual(
      expect.objectContaining({ caller: "console", operation: "getUser", actor: "Sup Port (support-1)" }),
    );
  });

  test("who is an admin manages the team, and is named in the audit log", async () => {
    const admin = inSession(await signInAs(service, peer, "admin-1"));
    const path = `${org()}/team_api_keys/sandbox/us`;
    const made = await callInConsole(service, admin, "POST", `/console${path}`, {
      label: "made in the console",
      team_id: service.identity.team_id,
    });
    expect([made.status, typeof made.body.value]).toEqual([200, "string"]);
    const support = inSession(await signInAs(service, peer, "support-1"));
    expect((await callInConsole(service, support, "GET", `/console${path}`)).status).toBe(403);
    const other = await service.createTeam("Out of reach");
    const foreign = { label: "foreign", team_id: other.teamId };
    expect((await callInConsole(service, admin, "POST", `/console${path}`, foreign)).status).toBe(404);
    const log = JSON.stringify((await service.manage("GET", `${org()}/audit_log`)).body);
    expect(log).toContain('"actor":"Ad Min (admin-1)"');
  });

  test("is listed for admins, who end the session at once", async () => {
    const admin = inSession(await signInAs(service, peer, "admin-1"));
    const answer = await signInAs(service, peer, "support-1");
    const { data } = (await callInConsole(service, admin, "GET", "/console/sessions")).body;
    const { session_id } = answer.body;
    expect(data).toContainEqual(expect.objectContaining({ session_id, subject: "support-1" }));
    expect((await callInConsole(service, admin, "DELETE", `/console/sessions/${session_id}`)).status).toBe(204);
    expect(await statusOf(inSession(answer))).toBe(401);
  });

  test("returns to the place in the console that they wanted, which the table does not show", async () => {
    const place = `/console/users/${crypto.randomUUID()}/data`;
    const { url, cookie } = await beginSignIn(service, { return_to: place });
    const items = await Array.fromAsync(scanAllItems(service));
    expect(JSON.stringify(items)).toContain(CONSOLE_SIGN_INS);
    expect(JSON.stringify(items)).not.toContain(place);
    const back = await peer.signIn(url, "admin-1");
    const answer = await finishSignIn(service, back.search.slice(1), { cookie });
    expect(answer.body.return_to).toBe(place);
  });

  test("is known by a nested claim, and a provider with the secret in the body works as well", async () => {
    const own = await OpenIdPeer.start(`${service.baseUrl}/console/sign-in`, "client_secret_post");
    own.changeClaims = (claims) => ({ ...claims, realm_access: { roles: ["offline", "console-support"] } });
    const { teamId } = await service.createTeam("With nested roles");
    await setProvider(service, own, { role_claim: "realm_access.roles", idle_minutes: 5 }, teamId);
    const answer = await signInAs(service, own, "stranger-1", { team_id: teamId });
    expect(answer.body).toMatchObject({ role: "support", team_id: teamId });
    const idleMs = Date.parse(answer.body.idle_expires_at) - Date.parse(answer.body.created_at);
    expect(idleMs).toBe(5 * MINUTE_MS);
    expect(await statusOf(inSession(answer))).toBe(200);
    await own.stop();
  });
});

describe("the session of a provider", () => {
  const open = async () => inSession(await signInAs(service, peer, "support-1"));

  test("survives another secret, and ends within a minute after another mapping of roles", {
    tags: "deep",
  }, async () => {
    const held = await open();
    await setProvider(service, peer, { idle_minutes: 60 });
    await service.advance(MINUTE_MS);
    expect(await statusOf(held)).toBe(200);
    await setProvider(service, peer, { roles: [{ value: "console-support", role: "reader" }] });
    await service.advance(MINUTE_MS);
    expect(await statusOf(held)).toBe(401);
    expect((await signInAs(service, peer, "support-1")).body.role).toBe("reader");
    await setProvider(service, peer);
  });

  test("ends within a minute after the provider is deleted, with the links that it made", {
    tags: "deep",
  }, async () => {
    const { teamId } = await service.createTeam("Without a provider later");
    await setProvider(service, peer, {}, teamId);
    const admin = inSession(await signInAs(service, peer, "admin-1", { team_id: teamId }));
    const body = { client_user_id: "linked from the console" };
    const { user_id } = (await callInConsole(service, admin, "POST", "/v2/user", body)).body;
    const link = await callInConsole(service, admin, "POST", "/v2/link/token", { user_id });
    expect(link.status).toBe(200);
    const read = () =>
      service.call("GET", "/v2/link/providers", {
        key: null,
        headers: { "x-service-link-token": link.body.link_token },
      });
    const before = (await read()).status;
    const { url, cookie } = await beginSignIn(service, { team_id: teamId });
    const back = await peer.signIn(url, "admin-1");
    expect((await service.manage("DELETE", providerPath(service, teamId))).status).toBe(204);
    const late = await finishSignIn(service, back.search.slice(1), { cookie });
    expect([late.status, late.headers.getSetCookie()]).toEqual([400, []]);
    await service.advance(MINUTE_MS);
    expect(await statusOf(admin)).toBe(401);
    expect([before, (await read()).status]).toEqual([200, 401]);
    expect((await askSignIn(service, { team_id: teamId })).body.code).toBe("not_possible");
    expect((await service.manage("DELETE", providerPath(service, teamId))).status).toBe(404);
  });

  test("replaces the one that the browser had, also one that somebody planted", async () => {
    const planted = await openConsole(service, { key: service.identity.api_key, name: "Attacker" });
    const { url, cookie } = await beginSignIn(service);
    const back = await peer.signIn(url, "support-1");
    const headers = { cookie: `${planted.cookie}; ${cookie}` };
    const answer = await finishSignIn(service, back.search.slice(1), headers);
    expect(answer.status).toBe(201);
    expect(cookieOf(answer)).not.toBe(planted.cookie);
    expect(await statusOf({ ...consoleHeader, cookie: planted.cookie ?? "" })).toBe(401);
    expect((await callInConsole(service, inSession(answer), "GET", "/console/session")).body.subject).toBe("support-1");
  });
});
