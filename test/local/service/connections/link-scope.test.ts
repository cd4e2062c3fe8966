import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../../functions/index.ts";
import { LinkRefused } from "../../../../lib/runtime/errors.ts";
import { TestService } from "../../../support/service.ts";
import { callWithLinkToken, createLinkToken, setPullDays } from "./link-helpers.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
let user: string;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
  user = await service.createUser("limited");
});
afterAll(() => service.stop());

/** Every route that a link token calls for a provider, and a provider of its kind. */
const ways = {
  oauth: ["GET", "/v2/link/provider/oauth/oura", undefined],
  password: ["POST", "/v2/link/provider/password/whoop", { username: "ada", password: "right" }],
  mfa: ["POST", "/v2/link/provider/password/whoop/complete_mfa", { mfa_code: "123456" }],
  email: ["POST", "/v2/link/provider/email/freestyle_libre", { email: "ada@example.com" }],
  olderPassword: ["POST", "/v2/link/auth", { username: "ada", password: "right", provider: "whoop" }],
  olderEmail: ["POST", "/v2/link/auth/email", { email: "ada@example.com", provider: "freestyle_libre" }],
  sdk: ["POST", "/v2/link/provider/sdk/apple_health_kit", undefined],
  notice: ["GET", "/v2/link/notice/oura", undefined],
} as const;
type Way = keyof typeof ways;
const go = (way: Way, token: string) => callWithLinkToken(service, ways[way][0], ways[way][1], token, ways[way][2]);

test("the test covers every link token route that names a provider, and each can refuse the provider", () => {
  const naming = endpoints.filter(
    ({ auth, path, body }) =>
      auth === "link" &&
      (/\{\w*provider\}/.test(path) || (body instanceof z.ZodObject && Object.hasOwn(body.shape, "provider"))),
  );
  const tried = Object.values(ways).map(([method, path]) => `${method} ${path}`);
  for (const { method, path, errors, operationId } of naming) {
    const route = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "\\w+")}$`);
    expect([operationId, tried.filter((way) => route.test(way)).length]).toEqual([operationId, 1]);
    expect([operationId, errors.includes(LinkRefused)]).toEqual([operationId, true]);
  }
  expect(naming).toHaveLength(tried.length);
});

describe("a link token", () => {
  test.each(Object.keys(ways) as Way[])(
    "for another provider, or with a filter for others, is refused by %s",
    async (way) => {
      for (const about of [{ provider: "strava" }, { filter_on_providers: ["strava", "health_connect"] }]) {
        const { link_token } = await createLinkToken(service, user, about);
        const { status, body } = await go(way, link_token);
        expect([status, body.code, body.detail.error_type]).toEqual([400, "link_refused", "INVALID_PROVIDER"]);
      }
      const connected = await service.call("GET", `/v2/user/providers/${user}`);
      expect(connected.body.providers).toEqual([]);
    },
  );

  test("is accepted for the providers of its filter", { tags: "deep" }, async () => {
    const filter_on_providers = ["oura", "whoop", "freestyle_libre", "apple_health_kit"];
    for (const way of ["oauth", "password", "olderPassword", "email", "olderEmail", "sdk"] as const) {
      const someone = await service.createUser(`let through by ${way}`);
      const { link_token } = await createLinkToken(service, someone, { filter_on_providers });
      expect([way, (await go(way, link_token)).status]).toEqual([way, 200]);
    }
  });

  test("whose filter excludes its own provider is refused", async () => {
    const body = { user_id: user, provider: "oura", filter_on_providers: ["strava"] };
    const refused = await service.call("POST", "/v2/link/token", { body });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "provider"]]);
  });
});

const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const exchange = (sign_in_token: string) =>
  service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
const refresh = (refresh_token: string) =>
  service.call("POST", "/v2/sdk/session/refresh", { key: null, body: { refresh_token } });
let syncs = 0;
/** Sends one glucose value as a phone does. */
const sync = (token: string, provider: string, source_type: string) => {
  syncs += 1;
  const glucose = [{ timestamp: "2026-05-01T08:00:00Z", value: 5, unit: "mmol/L" }];
  const body = { provider, source_type, sync_id: `s${syncs}`, part: 0, resources: { glucose } };
  return service.call("POST", "/v2/sdk/sync", { ...bearer(token), body });
};
/** Signs a phone in with the code that a link page shows. */
async function signedInBy(about: object, provider = "apple_health_kit") {
  const { link_token } = await createLinkToken(service, user, about);
  const { body } = await callWithLinkToken(service, "POST", `/v2/link/provider/sdk/${provider}`, link_token);
  return (await exchange(body.code)).body;
}
async function signedIn() {
  const { body } = await service.call("POST", `/v2/user/${user}/sign_in_token`);
  return (await exchange(body.sign_in_token)).body;
}

describe("a session", () => {
  test("cannot write data of a provider that is not on the phone, and a sensor's value stays unchanged", async () => {
    const about = { provider: "freestyle_libre", source_type: "automatic" };
    const glucose = [{ timestamp: "2026-05-01T08:00:00Z", value: 9, unit: "mmol/L" }];
    await service.call("POST", `/v2/ingest/${user}`, { body: { ...about, resources: { glucose } } });
    const { access_token } = await signedIn();
    for (const provider of ["freestyle_libre", "oura", "whoop", "manual"]) {
      const { status, body } = await sync(access_token, provider, "automatic");
      expect([provider, status, body.detail[0].loc]).toEqual([provider, 422, ["body", "provider"]]);
    }
    await service.settle();
    const { body } = await service.call("GET", `/v2/timeseries/${user}/glucose/grouped?start_date=2026-05-01`);
    expect(body.groups.freestyle_libre[0].data).toEqual([expect.objectContaining({ value: 9 })]);
  });

  test("writes only data with the source types of its provider", async () => {
    const { access_token } = await signedIn();
    const refused = [
      ["apple_health_kit", "lab"],
      ["contour_ble", "automatic"],
      ["health_connect", "of_my_own"],
    ] as const;
    for (const [provider, type] of refused) {
      const { status, body } = await sync(access_token, provider, type);
      expect([provider, type, status, body.detail[0].loc]).toEqual([provider, type, 422, ["body", "source_type"]]);
    }
    for (const [provider, type] of [
      ["apple_health_kit", "watch"],
      ["contour_ble", "fingerprick"],
    ] as const) {
      expect((await sync(access_token, provider, type)).status).toBe(202);
    }
  });

  test.each([
    ["names", { provider: "apple_health_kit" }],
    ["filters", { filter_on_providers: ["apple_health_kit", "oura"] }],
  ])(
    "of a link that %s providers writes data of those alone, before and after a refresh",
    { tags: "deep" },
    async (_, about) => {
      let { access_token, refresh_token } = await signedInBy(about);
      for (const _ of [1, 2]) {
        const refused = await sync(access_token, "health_connect", "phone");
        expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
        expect((await sync(access_token, "apple_health_kit", "phone")).status).toBe(202);
        ({ access_token, refresh_token } = (await refresh(refresh_token)).body);
      }
    },
  );

  test("of a link for any provider writes data of any provider on the phone", async () => {
    const { access_token } = await signedInBy({});
    expect((await sync(access_token, "health_connect", "phone")).status).toBe(202);
    expect((await sync(access_token, "oura", "ring")).status).toBe(422);
  });

  test("ends 90 days after its last refresh, and 400 days after the sign-in", { tags: "deep" }, async () => {
    const idle = await signedIn();
    let { refresh_token } = await signedIn();
    for (let day = 0; day < 360; day += 60) {
      await service.advance(60 * DAY_MS);
      const refreshed = await refresh(refresh_token);
      expect([day, refreshed.status]).toEqual([day, 200]);
      ({ refresh_token } = refreshed.body);
      if (day === 60) expect((await refresh(idle.refresh_token)).status).toBe(401);
    }
    await service.advance(40 * DAY_MS - 30 * MINUTE_MS);
    const last = (await refresh(refresh_token)).body;
    expect(last.expires_in).toBeLessThanOrEqual(1_800);
    expect((await sync(last.access_token, "apple_health_kit", "phone")).status).toBe(202);
    await service.advance(31 * MINUTE_MS);
    expect((await sync(last.access_token, "apple_health_kit", "phone")).status).toBe(401);
    expect((await refresh(last.refresh_token)).status).toBe(401);
  });
});
