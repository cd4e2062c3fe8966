import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providers } from "../../../../lib/domain/connections/providers/providers.ts";
import { TestService } from "../../../support/service.ts";
import { rejectionOf } from "../ingest/expected-rejections.ts";
import {
  callWithLinkToken,
  connectAccount,
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  RETURN_URL,
  setPullDays,
} from "./link-helpers.ts";

const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";
const MINUTE_MS = 60_000;

let service: TestService;
let user: string;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
  user = await service.createUser("linking");
});
afterAll(() => service.stop());

const create = (body: object) => service.call("POST", "/v2/link/token", { body });
const read = (token: string) => callWithLinkToken(service, "GET", "/v2/link/token", token);

describe("a link token", () => {
  test("is a string, with the URL of a page, for optional fields that are null or omitted [linking-02] [linking-05]", async () => {
    const nothing = { provider: null, redirect_url: null, filter_on_providers: null, on_error: null, on_close: null };
    for (const given of [{}, nothing]) {
      const { status, body } = await create({ user_id: user, ...given });
      expect(status).toBe(200);
      expect(body).toEqual({
        link_token: expect.stringMatching(/^lt_/),
        link_web_url: expect.stringContaining(`${service.baseUrl}/v2/link/web?token=lt_`),
      });
    }
  });

  test.each([
    ["no user", {}],
    ["a user id that is not a UUID", { user_id: "ada" }],
    ["an unknown provider", { user_id: UNKNOWN, provider: "nobody" }],
    ["an empty filter [limits-15]", { user_id: UNKNOWN, filter_on_providers: [] }],
    ["on_error other than redirect [linking-09]", { user_id: UNKNOWN, on_error: "page" }],
    ["on_close other than redirect [linking-14]", { user_id: UNKNOWN, on_close: "close" }],
    ["a javascript: redirect", { user_id: UNKNOWN, redirect_url: "javascript:alert(1)" }],
    ["a redirect with credentials", { user_id: UNKNOWN, redirect_url: "https://a:b@example.com" }],
    ["a redirect that is not a URL", { user_id: UNKNOWN, redirect_url: "/home" }],
  ])("is refused for %s [linking-01]", async (_, body) => {
    expect((await create(body)).status).toBe(422);
  });

  test("is refused for a user of another team", async () => {
    expect((await create({ user_id: UNKNOWN })).status).toBe(404);
  });

  test("returns to its holder the data that a widget needs [linking-17]", async () => {
    const about = {
      provider: "oura",
      filter_on_providers: ["oura", "whoop"],
      on_error: "redirect",
      on_close: "redirect",
    };
    const { link_token } = await createLinkToken(service, user, about);
    const { status, body } = await read(link_token);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ user_id: user, redirect_url: RETURN_URL, ...about }),
    ]);
    expect(JSON.stringify(body)).not.toContain(link_token);
  });

  test("lists all providers with either name of its header, whatever its filter [linking-08] [linking-16]", async () => {
    const { link_token } = await createLinkToken(service, user, {
      filter_on_providers: ["oura"],
      on_close: "redirect",
    });
    for (const name of ["x-service-link-token", "x-vital-link-token"]) {
      const headers = { [name]: link_token };
      const { status, body } = await service.call("GET", "/v2/link/providers", { key: null, headers });
      expect(status).toBe(200);
      expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(
        providers.filter(({ authType }) => authType !== null).map(({ slug }) => slug),
      );
    }
  });

  test("expires after an hour, with an error that says so [authentication-11]", async () => {
    const { link_token } = await createLinkToken(service, user);
    await service.advance(59 * MINUTE_MS);
    expect((await read(link_token)).status).toBe(200);
    await service.advance(2 * MINUTE_MS);
    const { status, body } = await read(link_token);
    expect([status, body.detail.error_type]).toEqual([401, "token_expired"]);
  });

  test("that is missing or unknown is refused with 401 and an error that says so", async () => {
    const answers = [await service.call("GET", "/v2/link/providers", { key: null }), await read("lt_unknown")];
    expect(answers.map(({ status, body }) => [status, body.detail.error_type])).toEqual([
      [401, "MISSING_LINK_TOKEN"],
      [401, "invalid_token"],
    ]);
  });

  test("is not accepted as any other credential, nor another credential as a link token [authentication-12]", async () => {
    const { link_token } = await createLinkToken(service, user);
    const signIn = (await service.call("POST", `/v2/user/${user}/sign_in_token`)).body.sign_in_token;
    const session = (await exchange(signIn)).body;
    const credentials: Record<string, string> = {
      link: link_token,
      signIn: (await service.call("POST", `/v2/user/${user}/sign_in_token`)).body.sign_in_token,
      access: session.access_token,
      refresh: session.refresh_token,
      team: service.identity.api_key,
      management: service.identity.management_key,
    };
    const doors: Record<string, (text: string) => Promise<{ status: number }>> = {
      link: (text) => callWithLinkToken(service, "GET", "/v2/link/providers", text),
      signIn: (text) => exchange(text),
      access: (text) => sync(text, { ...part, sync_id: "door" }),
      refresh: (text) => refresh(text),
      team: (text) => service.call("GET", `/v2/user/${user}`, { key: text }),
      management: (text) => service.manage("GET", `/v1/org/${service.identity.org_id}`, { key: text }),
    };
    for (const [door, open] of Object.entries(doors)) {
      for (const [kind, text] of Object.entries(credentials)) {
        if (kind === door) continue;
        expect([door, kind, (await open(text)).status]).toEqual([door, kind, 401]);
      }
    }
    expect((await doors.link!(link_token)).status).toBe(200);
  });
});

const exchange = (sign_in_token: string) =>
  service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
const refresh = (refresh_token: string) =>
  service.call("POST", "/v2/sdk/session/refresh", { key: null, body: { refresh_token } });
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const sync = (token: string, body: object) => service.call("POST", "/v2/sdk/sync", { ...bearer(token), body });
const signIn = async (userId = user) => {
  const { body } = await service.call("POST", `/v2/user/${userId}/sign_in_token`);
  return (await exchange(body.sign_in_token)).body;
};

const part = {
  provider: "apple_health_kit",
  source_type: "watch",
  stage: "historical",
  part: 0,
  resources: { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] },
};

describe("a session", () => {
  test("starts with a sign-in token once [users-17] [users-18] [users-19]", async () => {
    const { body } = await service.call("POST", `/v2/user/${user}/sign_in_token`);
    expect(body).toEqual({ user_id: user, sign_in_token: expect.any(String) });
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(body.sign_in_token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      // Whole seconds, of which the four requests may take one.
      expires_in: expect.closeTo(3600, -1),
      user_id: user,
    });
    expect((await exchange(body.sign_in_token)).status).toBe(401);
  });

  test("starts with a link code, until the code expires", async () => {
    const make = (query = "") => service.call("POST", `/v2/link/code/create?user_id=${user}${query}`);
    const { body } = await make();
    expect(body.code).toMatch(/^skus[0-9a-f]{32}$/);
    expect((await exchange(body.code)).body.user_id).toBe(user);
    const soon = new Date(service.cloud.clock.now() + 5 * MINUTE_MS).toISOString();
    const late = (await make(`&expires_at=${soon}`)).body;
    expect(late.expires_at).toBe(soon);
    await service.advance(6 * MINUTE_MS);
    expect((await exchange(late.code)).status).toBe(401);
    expect((await make("&expires_at=2000-01-01T00:00:00Z")).status).toBe(422);
  });

  test("has access for an hour, then by its refresh token [users-20]", async () => {
    const { access_token, refresh_token } = await signIn();
    expect((await sync(access_token, { ...part, sync_id: "a" })).status).toBe(202);
    await service.advance(61 * MINUTE_MS);
    expect((await sync(access_token, { ...part, sync_id: "a" })).status).toBe(401);
    const refreshed = await refresh(refresh_token);
    expect((await sync(refreshed.body.access_token, { ...part, sync_id: "a" })).status).toBe(202);
  });

  test("ends after a second use of a refresh token", async () => {
    const { refresh_token } = await signIn();
    const second = (await refresh(refresh_token)).body;
    expect((await refresh(refresh_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    expect((await sync(second.access_token, { ...part, sync_id: "b" })).status).toBe(401);
  });

  test("ends when its user signs out or is deleted", async () => {
    const { access_token } = await signIn();
    expect((await service.call("POST", "/v2/sdk/session/revoke", bearer(access_token))).body).toEqual({
      success: true,
    });
    expect((await sync(access_token, { ...part, sync_id: "c" })).status).toBe(401);
    const leaving = await service.createUser("leaving");
    const session = await signIn(leaving);
    await service.call("DELETE", `/v2/user/${leaving}`);
    expect((await refresh(session.refresh_token)).status).toBe(401);
    expect((await sync(session.access_token, { ...part, sync_id: "d" })).status).toBe(404);
  });
});

describe("data that a phone sends", () => {
  test("is stored once per part, and sends one history event when it is complete", { tags: "deep" }, async () => {
    const phone = await service.createUser("phone");
    const { access_token } = await signIn(phone);
    const second = {
      ...part,
      part: 1,
      done: true,
      resources: { heartrate: [{ timestamp: "2026-05-03T08:00:00Z", value: 61 }], steps: [{ bad: true }] },
      deleted: { workouts: [{ timestamp: "2026-05-01T08:00:00Z" }] },
    };
    const first = await sync(access_token, { ...part, sync_id: "one" });
    expect(await sync(access_token, { ...part, sync_id: "one" })).toMatchObject({ body: first.body });
    const done = await sync(access_token, { ...second, sync_id: "one" });
    expect(done.body.rejected).toEqual([
      rejectionOf("steps", 0, "timestamp", "bad_time"),
      rejectionOf("deleted.workouts", 0, null, "unknown_resource"),
    ]);
    expect(await sync(access_token, { ...second, sync_id: "one" })).toMatchObject({ body: done.body });
    // A history completes in a later run if its data was not stored at the first.
    await service.advance(5 * MINUTE_MS);
    const events = (await service.inbox("historical.data.heartrate.created")).filter(
      ({ body }) => body.user_id === phone,
    );
    expect(events.map(({ body }) => body.data)).toEqual([
      expect.objectContaining({ start_date: "2026-05-01T08:00:00.000Z", end_date: "2026-05-03T08:00:00.000Z" }),
    ]);
    const stored = await service.call("GET", `/v2/timeseries/${phone}/heartrate/grouped?start_date=2026-05-01`);
    expect(stored.body.groups.apple_health_kit[0].data).toHaveLength(2);
  });

  test("is accepted beside thousands of invalid records, which a repeated part names again", {
    tags: "deep",
  }, async () => {
    const { access_token } = await signIn(await service.createUser("phone with bad data"));
    const bad = Array.from({ length: 9_999 }, () => ({ timestamp: "2026-05-03T08:00:00Z", value: 4_000 }));
    const sent = { ...part, sync_id: "bad", resources: { heartrate: [...bad, { ...bad[0], value: 60 }] } };
    const first = await sync(access_token, sent);
    expect(first).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect(first.body.rejected[0]).toEqual(rejectionOf("heartrate", 0, "value", "value_out_of_range"));
    expect(first.body.rejected).toHaveLength(9_999);
    expect((await sync(access_token, sent)).body).toEqual(first.body);
  });

  test("can be deleted, and earlier requests do not restore it", async () => {
    const phone = await service.createUser("forgetful phone");
    const { access_token } = await signIn(phone);
    const [first, second] = ["2026-05-01T08:00:00Z", "2026-05-01T08:05:00Z"];
    const heartrate = [first, second].map((timestamp) => ({ timestamp, value: 60 }));
    const ldl = { timestamp: first, value: 2.5, type: "ldl" };
    await sync(access_token, { ...part, sync_id: "in", resources: { heartrate, cholesterol: [ldl] } });
    const deleted = {
      heartrate: [{ timestamp: first }],
      cholesterol: [{ timestamp: first, type: "ldl" }, { timestamp: first }],
    };
    const out = { ...part, sync_id: "out", resources: {}, deleted };
    const answer = await sync(access_token, out);
    expect(answer.body).toMatchObject({
      accepted: 2,
      rejected: [rejectionOf("deleted.cholesterol", 1, "type", "bad_type")],
    });
    await service.settle();
    const read = async (what: string) =>
      (await service.call("GET", `/v2/timeseries/${phone}/${what}?start_date=2026-05-01`)).body;
    expect(await read("heartrate")).toMatchObject([{ timestamp: "2026-05-01T08:05:00+00:00", value: 60 }]);
    expect(await read("cholesterol/ldl")).toEqual([]);
  });
});

describe("a browser on a page of another origin", () => {
  const preflight = (path: string, method: string, header: string) =>
    fetch(`${service.baseUrl}${path}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://widget.example.com",
        "access-control-request-method": method,
        "access-control-request-headers": header,
      },
    });

  test("may send requests with a link token or a session, and not with a key", async () => {
    const { headers } = await preflight("/v2/link/providers", "GET", "x-service-link-token");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const allowed = (headers.get("access-control-allow-headers") ?? "").split(",");
    expect(allowed).toEqual(expect.arrayContaining(["x-service-link-token", "x-vital-link-token", "authorization"]));
    expect(allowed).not.toContain("x-service-api-key");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("an OAuth provider", () => {
  test("connects, redirects the user, consumes the token and sends an event", async () => {
    const ada = await service.createUser("ada");
    const { link_token } = await createLinkToken(service, ada);
    const source = await callWithLinkToken(service, "GET", "/v2/link/provider/oauth/oura", link_token);
    expect(source.body).toMatchObject({ slug: "oura", auth_type: "oauth", source_type: "provider", is_active: true });
    const back = await openCallback(await grantConsent(await openAuthorizationUrl(service, link_token)));
    expect([back.status, back.outcome]).toEqual([302, { from: "test", state: "success" }]);
    expect((await read(link_token)).body.detail.error_type).toBe("token_consumed");
    const { body } = await service.call("GET", `/v2/user/providers/${ada}`);
    expect(body.providers).toEqual([
      expect.objectContaining({ slug: "oura", status: "connected", external_user_id: expect.any(String) }),
    ]);
    const events = (await service.inbox("provider.connection.created")).filter(({ body }) => body.user_id === ada);
    expect(events.map(({ body }) => body.data.external_user_id)).toEqual([body.providers[0].external_user_id]);
  });

  test("that the user denies redirects with the error, with or without on_error [linking-12] [linking-13]", async () => {
    for (const on_error of [null, "redirect"]) {
      const { link_token } = await createLinkToken(service, user, { on_error });
      const back = await openCallback(
        await grantConsent(await openAuthorizationUrl(service, link_token), { auto: "deny" }),
      );
      expect(back.outcome).toMatchObject({ state: "error", error_type: "user_cancelled", error: expect.any(String) });
      expect((await read(link_token)).status).toBe(200);
    }
  });

  test("of another kind, without a connector or unknown is refused", async () => {
    const { link_token } = await createLinkToken(service, user);
    const begin = (provider: string) =>
      callWithLinkToken(service, "GET", `/v2/link/provider/oauth/${provider}`, link_token);
    expect((await begin("whoop")).body.detail.error_type).toBe("INVALID_PROVIDER");
    expect((await begin("runkeeper")).status).toBe(400);
    expect((await begin("nobody")).status).toBe(422);
  });

  test("refuses an account of another user if the team forbids duplicates", { tags: "deep" }, async () => {
    const [one, other] = [await service.createUser("one"), await service.createUser("other")];
    await connectAccount(service, one, "shared");
    await connectAccount(service, other, "shared");
    const path = `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}`;
    const set = (reject_duplicate_connection: boolean) =>
      service.manage("PATCH", path, { body: { sandbox: { reject_duplicate_connection } } });
    expect((await set(true)).status).toBe(200);
    await service.advance(MINUTE_MS + 1_000);
    const third = await service.createUser("third");
    const { link_token } = await createLinkToken(service, third);
    const again = async (token: string, account: string) =>
      (await openCallback(await grantConsent(await openAuthorizationUrl(service, token), { account }))).outcome;
    expect(await again(link_token, "shared")).toMatchObject({ error_type: "duplicate_connection" });
    expect(await again(link_token, "own")).toMatchObject({ state: "success" });
    // Deleting a user frees the account for others.
    const fourth = await service.createUser("fourth");
    const last = await createLinkToken(service, fourth);
    expect(await again(last.link_token, "own")).toMatchObject({ error_type: "duplicate_connection" });
    expect((await service.call("DELETE", `/v2/user/${third}`)).status).toBe(200);
    expect(await again(last.link_token, "own")).toMatchObject({ state: "success" });
    await set(false);
  });

  test("uses the application of the team if it has one, and requests only the required scopes", async () => {
    const { team_id, org_id } = service.identity;
    const client = { client_id: "of-the-team", client_secret: "secret" };
    const path = `/v1/org/${org_id}/team_custom_credentials/sandbox/us`;
    expect((await service.manage("POST", path, { body: { team_id, provider: "oura", ...client } })).status).toBe(200);
    const { link_token } = await createLinkToken(service, user);
    expect((await openAuthorizationUrl(service, link_token)).searchParams.get("client_id")).toBe("of-the-team");
    const { body } = await service.manage("GET", path);
    const gone = await service.manage("DELETE", `${path}?team_id=${team_id}&credential_id=${body.credentials[0].id}`);
    expect(gone.status).toBe(200);
    const required = { oura: { user_must_grant: ["daily"], user_may_grant: ["heartrate"] } };
    const scopes = `/v1/org/${org_id}/team/${team_id}/scope_requirements`;
    const set = await service.manage("POST", scopes, { body: required });
    expect(set.status).toBeLessThan(300);
    const url = await openAuthorizationUrl(service, link_token);
    expect(url.searchParams.get("scope")).toBe("personal daily heartrate");
    const { outcome } = await openCallback(await grantConsent(url, { without: "daily" }));
    expect(outcome).toMatchObject({ error_type: "required_scopes_not_granted" });
    await service.manage("POST", scopes, { body: { oura: null } });
  });
});

describe("a provider with login", () => {
  const login = (token: string, body: object, provider = "whoop") =>
    callWithLinkToken(service, "POST", `/v2/link/provider/password/${provider}`, token, body);
  const complete = (token: string, mfa_code: string) =>
    callWithLinkToken(service, "POST", "/v2/link/provider/password/whoop/complete_mfa", token, { mfa_code });
  const nobody = { redirect_url: expect.any(String), error_type: null, error: null, provider_mfa: null };

  test("connects by name and password, and says so", async () => {
    const { link_token } = await createLinkToken(service, await service.createUser("by password"));
    const { status, body } = await login(link_token, { username: "Ada@example.com", password: "right" });
    const provider_id = "ada@example.com";
    expect([status, body]).toEqual([
      200,
      { ...nobody, state: "success", provider: "whoop", connected: true, provider_id },
    ]);
    expect(new URL(body.redirect_url).searchParams.get("state")).toBe("success");
    expect((await read(link_token)).body.detail.error_type).toBe("token_consumed");
  });

  test("requests a code, accepts the correct one, and allows a retry after a wrong one", async () => {
    const { link_token } = await createLinkToken(service, await service.createUser("by code"));
    expect((await complete(link_token, "123456")).status).toBe(400);
    const asked = await login(link_token, { username: "mfa@example.com", password: "right" });
    expect(asked.body).toMatchObject({
      state: "pending_provider_mfa",
      connected: false,
      provider_mfa: { method: "email" },
    });
    expect((await complete(link_token, "000000")).body).toMatchObject({
      state: "error",
      error_type: "incorrect_mfa_code",
    });
    expect((await complete(link_token, "123456")).body).toMatchObject({ state: "success", connected: true });
    expect((await complete(link_token, "123456")).status).toBe(401);
  });

  test("answers a failed login with 200 and the reason, with or without on_error [linking-13]", async () => {
    for (const on_error of [null, "redirect"]) {
      const { link_token } = await createLinkToken(service, user, { on_error });
      const { status, body } = await login(link_token, { username: "ada", password: "wrong" });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ state: "error", error_type: "provider_credential_error", connected: false }),
      ]);
      expect((await login(link_token, { username: "ada", password: "x", region: "mars" })).body.error_type).toBe(
        "unsupported_region",
      );
    }
  });

  test("connects by e-mail address if the provider supports it, and by no other login", async () => {
    const { link_token } = await createLinkToken(service, await service.createUser("by e-mail"));
    const byEmail = (provider: string, email: string, named = {}) =>
      callWithLinkToken(service, "POST", `/v2/link/provider/email/${provider}`, link_token, { email, ...named });
    expect((await byEmail("whoop", "ada@example.com")).body.detail.error_type).toBe("INVALID_PROVIDER");
    expect((await login(link_token, { username: "a", password: "b" }, "oura")).status).toBe(400);
    expect((await byEmail("freestyle_libre", "no address")).status).toBe(422);
    const contradicted = await byEmail("freestyle_libre", "ada@example.com", { provider: "oura" });
    expect([contradicted.status, contradicted.body.detail[0].loc]).toEqual([422, ["body", "provider"]]);
    const repeated = await byEmail("freestyle_libre", "ada@example.com", { provider: "freestyle_libre" });
    expect(repeated.body).toMatchObject({ state: "success" });
  });

  test("goes on with the code if an older client named the provider in the body", async () => {
    const { link_token } = await createLinkToken(service, await service.createUser("older client"));
    const olderLogin = (path: string, body: object) => callWithLinkToken(service, "POST", path, link_token, body);
    const account = { username: "mfa@example.com", password: "right" };
    const refused = await olderLogin("/v2/link/auth/email", { email: "ada@example.com", provider: "whoop" });
    expect(refused.body.detail.error_type).toBe("INVALID_PROVIDER");
    expect((await olderLogin("/v2/link/auth", { ...account, provider: "whoop" })).body.state).toBe(
      "pending_provider_mfa",
    );
    expect((await complete(link_token, "123456")).body).toMatchObject({ state: "success", connected: true });
  });
});
