import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { clientCredentials, startSimulatedProviders } from "./simulated-providers.ts";

const REALM = "auth.tidepool.org/realms/tidepool/protocol/openid-connect";
const API = "api.tidepool.org";
const { server, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("tidepool");
const verifier = "verifier".repeat(6);

async function connect(scope = "openid email offline_access") {
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  const query = { scope, code_challenge, code_challenge_method: "S256" };
  const code = (await consent(`${REALM}/auth`, "tidepool", query)).get("code") ?? "";
  const more = { code, redirect_uri: callback("tidepool"), code_verifier: verifier, ...clientCredentials };
  return (await ask("POST", `${REALM}/token`, { form: { grant_type: "authorization_code", ...more } })).body;
}
const session = (token: string) => ({ headers: { "x-tidepool-session-token": token } });

async function ownData(token: string, query: string) {
  const { sub } = (await ask("GET", `${REALM}/userinfo`, { token })).body;
  return ask("GET", `${API}/data/${sub}?${query}`, session(token));
}

describe("Tidepool", () => {
  test("rotates refresh tokens, gives none without offline access, and revokes access", async () => {
    const first = await connect();
    const refresh = (refresh_token: string) =>
      ask("POST", `${REALM}/token`, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials } });
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
    expect((await connect("openid")).refresh_token).toBeUndefined();
    await ask("POST", `${REALM}/revoke`, { form: { token: second.refresh_token, ...clientCredentials } });
    expect((await ask("GET", `${API}/auth/user`, session(second.access_token))).status).toBe(401);
  });

  test("takes the access token in its own header only, for data of the same user only", async () => {
    const { access_token: token } = await connect();
    expect((await ask("GET", `${API}/auth/user`, { token })).status).toBe(401);
    const { userid } = (await ask("GET", `${API}/auth/user`, session(token))).body;
    expect(
      (await ask("GET", `${API}/data/${userid}?type=cbg&startDate=2026-05-20T00:00:00Z`, session(token))).status,
    ).toBe(200);
    expect((await ask("GET", `${API}/data/another?type=cbg`, session(token))).status).toBe(403);
    expect((await ask("GET", `${API}/data/${userid}?startDate=soon`, session(token))).status).toBe(400);
  });

  test("returns data by type and time in mmol/L that match the expected records", async () => {
    const { access_token: token } = await connect();
    const span = "startDate=2026-05-17T22:00:00.000Z&endDate=2026-05-18T21:59:59.999Z";
    const noon = Date.UTC(2026, 4, 18, 12);
    const truth = provider.expectedRecords("ada", noon, noon);
    const { body: readings } = await ownData(token, `type=cbg&${span}`);
    expect(readings.map(({ value }: { value: number }) => value)).toEqual(truth.glucose?.map(({ value }) => value));
    const { body: meals } = await ownData(token, `type=food,wizard,bolus&${span}`);
    expect(meals.map(({ type }: { type: string }) => type)).toEqual([expect.stringMatching(/food|wizard/), "bolus"]);
    expect(meals[1]).toMatchObject({ normal: truth.insulin_injection?.[0]?.value, timezoneOffset: 120 });
  });
});
