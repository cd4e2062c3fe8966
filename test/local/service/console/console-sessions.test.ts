import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { scanAllItems } from "../support/search-stored-data.ts";
import { callInConsole, consoleHeader, cookieOf, createTicket, openConsole, signIn } from "./console-helpers.ts";

const MINUTE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const ownKey = () => service.identity.api_key;
const org = () => `/v1/org/${service.identity.org_id}`;
const call = (headers: Readonly<Record<string, string>>, method: string, path: string, body?: unknown) =>
  callInConsole(service, headers, method, path, body);
const statusOf = async (headers: Readonly<Record<string, string>>) => (await call(headers, "GET", "/v2/user")).status;
const renew = (headers: Readonly<Record<string, string>>) => call(headers, "POST", "/console/session/renewal");
const createKey = async (more: object = {}) => {
  const body = { label: "Night shift", team_id: service.identity.team_id, ...more };
  return (await service.manage("POST", `${org()}/team_api_keys/sandbox/us`, { body })).body;
};

describe("a sign-in", () => {
  test("with a key returns the session and a cookie that scripts and other sites cannot use", async () => {
    const answer = await signIn(service, { key: ownKey(), role: "support", name: "Support desk 1" });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      team_id: service.identity.team_id,
      environment: "sandbox",
      role: "support",
      name: "Support desk 1",
      scopes: ["read", "webhooks"],
    });
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^tributary_console=cs_[\w-]{86}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    const read = await call({ cookie: cookieOf(answer), ...consoleHeader }, "GET", "/console/session");
    expect([read.status, read.body]).toEqual([200, answer.body]);
  });

  test("takes its name from the key if it gives none, and the role admin", async () => {
    const { value } = await createKey();
    expect((await signIn(service, { key: value })).body).toMatchObject({ name: "Night shift", role: "admin" });
  });

  test("refuses a wrong key, a key of a laboratory or of the management API, and a ticket that nobody made", async () => {
    const lab = await createKey({ lab: "quest" });
    for (const key of ["nothing", `${ownKey()}0`, lab.value, service.identity.management_key]) {
      const { status, body, headers } = await signIn(service, { key });
      expect([status, body.code, headers.getSetCookie()]).toEqual([401, "unauthorized", []]);
    }
    expect((await signIn(service, { ticket: `ct_${"A".repeat(43)}` })).status).toBe(401);
    expect((await signIn(service, { key: ownKey(), role: "owner" })).status).toBe(422);
    expect((await signIn(service, { key: ownKey(), name: "two\nlines" })).status).toBe(422);
    expect((await signIn(service, {})).status).toBe(422);
  });

  test("refuses an access token of one user, because a session reaches all users", async () => {
    const path = `${org()}/team/${service.identity.team_id}/create_api_access_token`;
    const body = { env: "sandbox", user_id: await service.createUser("alone") };
    const { access_token } = (await service.manage("POST", path, { body })).body;
    expect((await signIn(service, { key: access_token })).status).toBe(401);
  });

  test("never adopts a token that the browser had before, and ends its session", async () => {
    const planted = await openConsole(service, { key: ownKey(), name: "Attacker" });
    const answer = await signIn(service, { key: ownKey(), name: "Victim" }, planted);
    const own = { cookie: cookieOf(answer), ...consoleHeader };
    expect(own.cookie).not.toBe(planted.cookie);
    expect(await statusOf(planted)).toBe(401);
    expect((await call(own, "GET", "/console/session")).body.name).toBe("Victim");
    // A token of the right form that no sign-in created opens nothing.
    const made = `tributary_console=cs_${Buffer.alloc(64, 7).toString("base64url")}`;
    const after = await signIn(service, { key: ownKey() }, { cookie: made });
    expect(cookieOf(after)).not.toBe(made);
    expect(await statusOf({ cookie: made, ...consoleHeader })).toBe(401);
  });

  test("ends what pages of the session before it do, because their next request names that session", async () => {
    const first = await signIn(service, { key: ownKey(), name: "First" });
    const second = await signIn(service, { key: ownKey() }, { cookie: cookieOf(first) });
    const ask = (shown: string, method = "GET", path = "/v2/user") =>
      call({ cookie: cookieOf(second), ...consoleHeader, "x-console-session": shown }, method, path);
    expect((await ask(second.body.session_id)).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/v2/user"],
      ["POST", "/console/session/renewal"],
      ["GET", `/console/v1/org/${service.identity.org_id}/team/${service.identity.team_id}`],
      ["DELETE", "/console/session"],
    ] as const) {
      const { status, body } = await ask(first.body.session_id, method, path);
      expect([path, status, body.detail]).toEqual([path, 401, expect.stringContaining("Another sign-in")]);
    }
    expect((await ask(second.body.session_id)).status).toBe(200);
  });

  test("that fails leaves the session of the browser open", async () => {
    const held = await openConsole(service, { key: ownKey() });
    expect((await signIn(service, { key: "wrong" }, held)).status).toBe(401);
    expect(await statusOf(held)).toBe(200);
  });
});

describe("a ticket", () => {
  test("opens one session, with the role and name that the management key gave", async () => {
    const { ticket, url } = await createTicket(service, { role: "clinician", name: "Dr. Test" });
    expect(url).toBe(`${service.baseUrl}/console?ticket=${ticket}`);
    const answers = await Promise.all([1, 2, 3].map(() => signIn(service, { ticket })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
    const opened = answers.find(({ status }) => status === 201)?.body;
    expect(opened).toMatchObject({ role: "clinician", name: "Dr. Test", scopes: ["read", "labs"] });
    expect((await signIn(service, { ticket })).status).toBe(401);
  });

  test("is valid for ten minutes", async () => {
    const { ticket } = await createTicket(service);
    await service.advance(10 * MINUTE_MS);
    expect((await signIn(service, { ticket })).status).toBe(401);
  });

  test("and its session end with the management key", async () => {
    const { team_id } = service.identity;
    const body = { label: "desk", role: "team_admin", team_role_bindings: [{ team_id }] };
    const parent = (await service.manage("POST", `${org()}/management_key`, { body })).body;
    const make = async () => {
      const options = { key: parent.key, body: { role: "admin", name: "Desk" } };
      return (await service.manage("POST", `${org()}/team/${team_id}/console_ticket`, options)).body.ticket;
    };
    const [used, kept] = [await make(), await make()];
    const held = await openConsole(service, { ticket: used });
    expect(await statusOf(held)).toBe(200);
    await service.manage("DELETE", `${org()}/management_key/${parent.id}`);
    await service.advance(MINUTE_MS);
    expect(await statusOf(held)).toBe(401);
    expect((await signIn(service, { ticket: kept })).status).toBe(401);
  });

  test("of a team out of the management key's reach is refused like one of an unknown team", async () => {
    const path = `${org()}/team/${crypto.randomUUID()}/console_ticket`;
    expect((await service.manage("POST", path, { body: { role: "admin", name: "Desk" } })).status).toBe(404);
  });
});

describe("a session", () => {
  test("ends after eight hours, also if its person never rests", { tags: "deep" }, async () => {
    const held = await openConsole(service, { key: ownKey() });
    for (let minutes = 20; minutes < 480; minutes += 20) {
      await service.advance(20 * MINUTE_MS);
      expect((await renew(held)).status).toBe(200);
    }
    await service.advance(19 * MINUTE_MS);
    const { body } = await renew(held);
    expect(body.idle_expires_at).toBe(body.expires_at);
    await service.advance(MINUTE_MS);
    expect(await statusOf(held)).toBe(401);
    expect((await renew(held)).status).toBe(401);
    expect((await call(held, "DELETE", "/console/session")).status).toBe(401);
  });

  test("ends after thirty minutes in which its person does nothing, whatever its page asks", async () => {
    const held = await openConsole(service, { key: ownKey() });
    await service.advance(29 * MINUTE_MS);
    expect(await statusOf(held)).toBe(200);
    expect((await renew(held)).status).toBe(200);
    await service.advance(29 * MINUTE_MS);
    expect(await statusOf(held)).toBe(200);
    expect((await call(held, "GET", "/console/session")).status).toBe(200);
    await service.advance(MINUTE_MS);
    expect(await statusOf(held)).toBe(401);
    expect((await renew(held)).status).toBe(401);
    const admin = await openConsole(service, { key: ownKey(), name: "Admin" });
    expect((await call(admin, "GET", "/console/sessions")).body.data).toHaveLength(1);
  });

  test("has the idle time of its ticket, and no renewal after its end", async () => {
    const { ticket } = await createTicket(service, { idleMinutes: 5 });
    const held = await openConsole(service, { ticket });
    await service.advance(5 * MINUTE_MS);
    expect((await renew(held)).status).toBe(401);
    const path = `${org()}/team/${service.identity.team_id}/console_ticket`;
    for (const idle_minutes of [4, 481, 7.5, "30"]) {
      const body = { role: "admin", name: "Desk", idle_minutes };
      expect((await service.manage("POST", path, { body })).status).toBe(422);
    }
  });

  test("of an access token ends with it", async () => {
    const path = `${org()}/team/${service.identity.team_id}/create_api_access_token`;
    const { access_token } = (await service.manage("POST", path, { body: { env: "sandbox", scopes: ["read"] } })).body;
    const answer = await signIn(service, { key: access_token });
    const held = { cookie: cookieOf(answer), ...consoleHeader };
    expect(answer.body.scopes).toEqual(["read"]);
    const length = Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at);
    expect(length).toBeGreaterThan(9 * MINUTE_MS);
    expect(length).toBeLessThanOrEqual(10 * MINUTE_MS);
    await service.advance(10 * MINUTE_MS);
    expect(await statusOf(held)).toBe(401);
  });

  test("ends at once when its person signs out, and the browser deletes the cookie", async () => {
    const held = await openConsole(service, { key: ownKey() });
    const answer = await call(held, "DELETE", "/console/session");
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual(["tributary_console=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"]);
    expect(await statusOf(held)).toBe(401);
  });

  test("is listed for admins of its team, who end it at once", async () => {
    const admin = await openConsole(service, { key: ownKey(), name: "Admin" });
    const answer = await signIn(service, { key: ownKey(), role: "support", name: "Support desk 2" });
    const held = { cookie: cookieOf(answer), ...consoleHeader };
    const list = async () => (await call(admin, "GET", "/console/sessions")).body.data;
    const { session_id, role, name, created_at, expires_at, idle_expires_at } = answer.body;
    expect(await list()).toContainEqual({ session_id, role, name, created_at, expires_at, idle_expires_at });
    expect((await call(held, "GET", "/console/sessions")).status).toBe(403);
    expect((await call(held, "DELETE", `/console/sessions/${session_id}`)).status).toBe(403);
    expect((await call(admin, "DELETE", `/console/sessions/${session_id}`)).status).toBe(204);
    expect(await statusOf(held)).toBe(401);
    expect((await call(admin, "DELETE", `/console/sessions/${session_id}`)).status).toBe(404);
    expect((await list()).map((one: { session_id: string }) => one.session_id)).not.toContain(session_id);
  });

  test("reaches its team only, also as its admin", async () => {
    const { key } = await service.createTeam("Beside");
    const userId = await service.createUser("of the first team");
    const own = await signIn(service, { key: ownKey() });
    const other = await openConsole(service, { key });
    expect((await call(other, "GET", `/v2/user/${userId}`)).status).toBe(404);
    expect((await call(other, "DELETE", `/console/sessions/${own.body.session_id}`)).status).toBe(404);
    const { data } = (await call(other, "GET", "/console/sessions")).body;
    expect(data).toHaveLength(1);
    expect(await statusOf({ cookie: cookieOf(own), ...consoleHeader })).toBe(200);
  });

  test("of a restricted key has no more scopes than the key, and administrates nobody", async () => {
    const { value } = await createKey({ scopes: ["read", "link"] });
    const answer = await signIn(service, { key: value });
    const held = { cookie: cookieOf(answer), ...consoleHeader };
    expect(answer.body).toMatchObject({ role: "admin", scopes: ["read", "link"] });
    const refused = await call(held, "GET", "/v3/orders");
    expect([refused.status, refused.body.required_scope]).toEqual([403, "labs"]);
    expect((await call(held, "GET", "/console/sessions")).status).toBe(403);
    expect(await statusOf(held)).toBe(200);
  });

  test("yields to an API key in the same request", async () => {
    const { teamId, key } = await service.createTeam("By key");
    const held = await openConsole(service, { key: ownKey() });
    const { body } = await service.call("GET", `/v2/team/${teamId}`, { key, headers: held });
    expect(body.name).toBe("By key");
  });

  test("and its person are in the access log of what they looked at", async () => {
    const userId = await service.createUser("looked at");
    const answer = await signIn(service, { key: ownKey(), role: "support", name: "Support desk 3" });
    const held = { cookie: cookieOf(answer), ...consoleHeader };
    const { headers } = await call(held, "GET", `/v2/user/${userId}`);
    const { entries } = (await service.manage("GET", `${org()}/team/${service.identity.team_id}/access_log`)).body;
    const entry = entries.find(({ id }: { id: string }) => id === headers.get("x-request-id"));
    const session = { session_id: answer.body.session_id, actor: "Support desk 3" };
    expect(entry).toMatchObject({ caller: "console", operation: "getUser", status: 200, ...session });
    expect(ownKey()).toContain(entry.key_id);
  });

  test("is stored as a hash, with nothing of a user and no token", async () => {
    const answer = await signIn(service, { key: ownKey(), name: "Stored" });
    const held = { cookie: cookieOf(answer), ...consoleHeader };
    const userId = await service.createUser("seen@example.com");
    await call(held, "GET", `/v2/user/${userId}`);
    const { ticket } = await createTicket(service);
    const found = (await Array.fromAsync(scanAllItems(service))).filter(({ item }) => item.pk.startsWith("console_"));
    const [stored] = found.filter(({ item }) => item.sk === answer.body.session_id);
    expect(Object.keys(stored?.item ?? {}).toSorted()).toEqual(
      [
        ...["created_at", "ends_at", "expires_at", "idle_ends_at", "idle_minutes", "key_id", "name", "pk", "role"],
        ...["session_id", "sha256", "sk", "team_id"],
      ].toSorted(),
    );
    const text = JSON.stringify(found.map(({ item }) => item));
    const token = held.cookie.split("=")[1] ?? "";
    for (const secret of [token, ticket, ownKey(), userId, "seen@example.com"]) expect(text).not.toContain(secret);
  });
});
