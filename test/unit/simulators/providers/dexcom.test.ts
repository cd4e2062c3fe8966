import { describe, expect, test } from "vitest";
import { clientCredentials, startSimulatedProviders } from "./simulated-providers.ts";

const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("dexcom_v3");

async function connect(host = "api.dexcom.com") {
  const code = (await consent(`${host}/v2/oauth2/login`, "dexcom_v3", { scope: "offline_access" })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("dexcom_v3"), ...clientCredentials };
  return (await ask("POST", `${host}/v2/oauth2/token`, { form })).body;
}
const refresh = (refresh_token: string, more: Record<string, string> = { redirect_uri: callback("dexcom_v3") }) =>
  ask("POST", "api.dexcom.com/v2/oauth2/token", {
    form: { grant_type: "refresh_token", refresh_token, ...clientCredentials, ...more },
  });

describe("Dexcom tokens", () => {
  test("rotate with the redirect URI, last 2 hours, and need the client secret", async () => {
    const first = await connect();
    expect((await refresh(first.refresh_token, {})).body).toEqual({ error: "invalid_request" });
    const wrong = { redirect_uri: callback("dexcom_v3"), client_secret: "wrong" };
    expect((await refresh(first.refresh_token, wrong)).status).toBe(401);
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
    const devices = () => ask("GET", "api.dexcom.com/v3/users/self/devices", { token: second.access_token });
    expect((await devices()).status).toBe(200);
    await skip(7_200_000);
    expect((await devices()).status).toBe(401);
  });

  test("are issued by the hosts of all regions", async () => {
    for (const host of ["api.dexcom.eu", "api.dexcom.jp", "sandbox-api.dexcom.com"]) {
      const { access_token: token } = await connect(host);
      expect((await ask("GET", `${host}/v3/users/self/dataRange`, { token })).status, host).toBe(200);
    }
  });
});

describe("Dexcom data", () => {
  const egvs = (token: string, from: string, until: string) =>
    ask("GET", `api.dexcom.com/v3/users/self/egvs?startDate=${from}&endDate=${until}`, { token });

  test("returns all readings of 30 days at once, newest first, in mg/dL; readings of the last hour follow later", async () => {
    const { access_token: token } = await connect();
    const { body } = await egvs(token, "2026-04-19T22:00:00", "2026-05-19T22:00:00");
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12)).glucose ?? [];
    expect(body.records).toHaveLength(30 * 288);
    expect(body.records.reverse().map(({ value }: { value: number }) => value / 18.0156)).toEqual(
      truth.map(({ value }) => value),
    );
    expect((await egvs(token, "2026-04-19T22:00:00", "2026-05-20T22:00:00")).status).toBe(400);
    const { body: late } = await egvs(token, "2026-05-20T00:00:00Z", "2026-05-21T00:00:00Z");
    expect(Date.parse(late.records[0].systemTime)).toBeLessThan(server.provider("dexcom_v3").now() - 3_600_000);
  });

  test("encodes values as strings and times in UTC without a Z", async () => {
    const { access_token: token } = await connect();
    const url = "api.dexcom.com/v3/users/self/events?startDate=2026-05-18T00:00:00&endDate=2026-05-19T00:00:00";
    const { body } = await ask("GET", url, { token });
    const [carbs, insulin] = body.records;
    expect(carbs).toMatchObject({ eventType: "carbs", unit: "grams", systemTime: "2026-05-18T10:00:00" });
    expect(typeof carbs.value).toBe("string");
    expect(insulin).toMatchObject({ eventType: "insulin", eventSubType: "fastActing" });
  });

  test("responds with 429 and a retry time when configured", async () => {
    const { access_token: token } = await connect();
    provider.setSwitches({ rate_limited: 1 });
    const over = await egvs(token, "2026-05-18T00:00:00", "2026-05-19T00:00:00");
    expect(over.status).toBe(429);
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
  });
});
