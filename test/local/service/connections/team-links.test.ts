import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  callWithLinkToken,
  connectAccount,
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "./link-helpers.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
let user: string;
let other: { teamId: string; key: string };
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
  user = await service.createUser("of the team");
  other = await service.createTeam("another");
});
afterAll(() => service.stop());

const check = (token: unknown, key?: string) =>
  service.call("POST", "/v2/link/token/isValid", { body: { token }, ...(key ? { key } : {}) });
const begin = (body: object, key?: string) => service.call("POST", "/v2/link/start", { body, ...(key ? { key } : {}) });
const stateOf = (token: string) => callWithLinkToken(service, "GET", "/v2/link/state", token);
/** Connects a new user with this token. */
async function use(token: string, account: string) {
  const callback = await grantConsent(await openAuthorizationUrl(service, token), { account });
  expect((await openCallback(callback)).outcome).toMatchObject({ state: "success" });
}
let created = 0;
/** Tokens that cannot connect, by the reason. */
async function endedTokens() {
  created += 1;
  const consumed = (await createLinkToken(service, await service.createUser(`used ${created}`))).link_token;
  await use(consumed, `used-${created}`);
  const expired = (await createLinkToken(service, user)).link_token;
  await service.advance(HOUR_MS + 1_000);
  const userOfOther = await service.createUser(`of another ${created}`, other.key);
  const foreign = (await createLinkToken(service, userOfOther, {}, other.key)).link_token;
  return { token_consumed: [consumed], token_expired: [expired], invalid_token: [foreign, "lt_unknown"] } as const;
}

describe("a team's check of a link token", () => {
  test("states whether the token can connect, and otherwise why not", async () => {
    const { link_token } = await createLinkToken(service, user);
    const valid = { valid: true, error_type: null, error: null };
    for (const _ of ["first", "again"]) expect(await check(link_token)).toMatchObject({ status: 200, body: valid });
    for (const [error_type, tokens] of Object.entries(await endedTokens())) {
      for (const token of tokens) {
        const { status, body } = await check(token);
        expect([status, body]).toEqual([200, { valid: false, error_type, error: expect.any(String) }]);
      }
    }
  });

  test("reveals nothing about a token of another team, whatever its state", { tags: "deep" }, async () => {
    const { link_token } = await createLinkToken(service, user);
    const unknown = (await check("lt_unknown", other.key)).body;
    const foreign = [(await check(link_token, other.key)).body];
    await service.advance(HOUR_MS + 1_000);
    foreign.push((await check(link_token, other.key)).body);
    expect([unknown.error_type, ...foreign]).toEqual(["invalid_token", unknown, unknown]);
  });

  test("finds the token of a deleted user invalid", async () => {
    const leaving = await service.createUser("who leaves");
    const { link_token } = await createLinkToken(service, leaving);
    await service.call("DELETE", `/v2/user/${leaving}`);
    expect((await check(link_token)).body).toMatchObject({ valid: false, error_type: "invalid_token" });
  });

  test.each([[{}], [{ token: "" }], [{ token: 5 }], [{ token: "x".repeat(1_001) }]])(
    "refuses the body %j",
    async (body) => {
      const refused = await service.call("POST", "/v2/link/token/isValid", { body });
      expect([refused.status, refused.body.code, refused.body.detail[0].loc]).toEqual([
        422,
        "validation_failed",
        ["body", "token"],
      ]);
    },
  );

  test("needs the team's key", async () => {
    const { link_token, headers } = await createLinkToken(service, user);
    const body = { token: link_token };
    expect((await service.call("POST", "/v2/link/token/isValid", { key: null, headers, body })).status).toBe(401);
  });
});

describe("a team's start of a link", () => {
  test("begins an OAuth that connects the user of the token", async () => {
    const someone = await service.createUser("who starts");
    const { link_token } = await createLinkToken(service, someone);
    const { status, body } = await begin({ link_token, provider: "oura" });
    expect([status, body]).toMatchObject([200, { slug: "oura", auth_type: "oauth", is_active: true }]);
    const page = await fetch(body.oauth_url, { redirect: "manual" });
    const cookie = page.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const callback = await grantConsent(new URL(page.headers.get("location") ?? ""), { account: "starting" });
    const back = await fetch(callback, { redirect: "manual", headers: { cookie } });
    expect(new URL(back.headers.get("location") ?? "").searchParams.get("state")).toBe("success");
    const { providers } = (await service.call("GET", `/v2/user/providers/${someone}`)).body;
    expect(providers).toMatchObject([{ slug: "oura", status: "connected" }]);
    expect((await stateOf(link_token)).body).toMatchObject({ state: "connected", provider: "oura" });
  });

  test("refuses a token that cannot connect", { tags: "deep" }, async () => {
    for (const [error_type, tokens] of Object.entries(await endedTokens())) {
      for (const link_token of tokens) {
        const { status, body } = await begin({ link_token, provider: "oura" });
        expect([status, body.code, body.detail.error_type]).toEqual([400, "link_refused", error_type]);
      }
    }
  });

  test("refuses a provider that the token does not allow, or that is not connected by OAuth", async () => {
    const { link_token } = await createLinkToken(service, user, { filter_on_providers: ["strava", "whoop"] });
    for (const provider of ["oura", "whoop"]) {
      const { status, body } = await begin({ link_token, provider });
      expect([status, body.detail.error_type]).toEqual([400, "INVALID_PROVIDER"]);
    }
    expect((await begin({ link_token, provider: "nobody" })).status).toBe(422);
    expect((await begin({ provider: "strava" })).status).toBe(422);
  });
});

describe("the state of a link token", () => {
  test("goes from pending to connected, with the provider", { tags: "deep" }, async () => {
    const someone = await service.createUser("who is watched");
    const { link_token } = await createLinkToken(service, someone);
    const pending = await stateOf(link_token);
    const nothing = { state: "pending", provider: null, connected_at: null, expires_at: expect.any(String) };
    expect([pending.status, pending.body]).toEqual([200, nothing]);
    await use(link_token, "watched");
    const { status, body } = await stateOf(link_token);
    const { expires_at } = pending.body;
    expect([status, body]).toEqual([
      200,
      { state: "connected", provider: "oura", connected_at: expect.any(String), expires_at },
    ]);
    // A later connection is another one, and the token made none of those that exist.
    await service.advance(1_000);
    await connectAccount(service, someone, "watched-again");
    expect((await stateOf(link_token)).body).toEqual({ ...body, provider: null });
  });

  test("is readable for a day after the token ended, which opens nothing else", async () => {
    const { link_token } = await createLinkToken(service, user);
    await service.advance(HOUR_MS + 1_000);
    expect(await stateOf(link_token)).toMatchObject({ status: 200, body: { state: "expired", provider: null } });
    for (const path of ["/v2/link/token", "/v2/link/providers", "/v2/link/provider/oauth/oura"]) {
      expect((await callWithLinkToken(service, "GET", path, link_token)).status).toBe(401);
    }
  });

  test("is refused without a token, with an unknown one, and after the deletion of the user", async () => {
    const leaving = await service.createUser("who leaves a link");
    const { link_token } = await createLinkToken(service, leaving);
    await service.call("DELETE", `/v2/user/${leaving}`);
    const answers = [
      await service.call("GET", "/v2/link/state"),
      await stateOf("lt_unknown"),
      await stateOf(link_token),
    ];
    expect(answers.map(({ status, body }) => [status, body.detail.error_type])).toEqual([
      [401, "MISSING_LINK_TOKEN"],
      [401, "invalid_token"],
      [401, "invalid_token"],
    ]);
  });
});

describe("the configuration of a link page", () => {
  const config = (token: string) => callWithLinkToken(service, "GET", "/v2/team/link/config", token);
  const slugsOf = ({ providers }: Answer["body"]): string[] => providers.map(({ slug }: { slug: string }) => slug);

  test.each([
    ["without a filter", {}, undefined],
    [
      "with a filter",
      { filter_on_providers: ["oura", "apple_health_kit", "whoop"] },
      ["oura", "whoop", "apple_health_kit"],
    ],
    ["for one provider", { provider: "strava" }, ["strava"]],
  ])("has the providers that a link %s shows", async (_, about, expected) => {
    const { link_token } = await createLinkToken(service, user, about);
    const { shown_providers } = (await callWithLinkToken(service, "GET", "/v2/link/token", link_token)).body;
    const { status, body } = await config(link_token);
    expect([status, slugsOf(body)]).toEqual([200, expected ?? shown_providers]);
    expect(slugsOf(body)).toEqual(shown_providers);
  });

  test("has the brand of the team of the token", async () => {
    const { org_id, team_id } = service.identity;
    const [company_name, logo_url] = ["Well Ltd", "https://example.com/logo.png"];
    const sandbox = { brand_information: { company_name }, logo_url };
    await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body: { sandbox } });
    await service.advance(61_000);
    const own = (await createLinkToken(service, user)).link_token;
    const theirs = await service.createUser("of another brand", other.key);
    const foreign = (await createLinkToken(service, theirs, {}, other.key)).link_token;
    expect((await config(own)).body).toMatchObject({ team_name: company_name, team_logo: logo_url });
    expect((await config(foreign)).body).toMatchObject({ team_name: "another", team_logo: null });
  });

  test("needs a link token that can connect, and no key replaces it", async () => {
    const { token_expired, token_consumed } = await endedTokens();
    const keyed = await service.call("GET", "/v2/team/link/config");
    const answers = [keyed, ...(await Promise.all([...token_expired, ...token_consumed].map(config)))];
    expect(answers.map(({ status, body }) => [status, body.detail.error_type])).toEqual([
      [401, "MISSING_LINK_TOKEN"],
      [401, "token_expired"],
      [401, "token_consumed"],
    ]);
  });
});
