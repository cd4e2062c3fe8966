import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const OAUTH = "oauth.omronwellness.com/connect";
const API = "api.omronwellness.com/api";
const { server, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("omron");
const redirect_uri = callback("omron");

async function connect(scope = "bloodpressure openid offline_access") {
  const code = (await consent(`${OAUTH}/authorize`, "omron", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri, ...clientCredentials };
  return (await ask("POST", `${OAUTH}/token`, { form })).body;
}
const subjectOf = (idToken: string) => JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()).sub;
const measurements = (token: string, form: Record<string, string>) =>
  ask("POST", `${API}/measurement`, { token, form });

describe("Omron", () => {
  test("names the user in an ID token, and refreshes with the redirect URI", async () => {
    const first = await connect();
    expect(subjectOf(first.id_token)).toMatch(/^[0-9a-f-]{36}$/);
    const form = { grant_type: "refresh_token", refresh_token: first.refresh_token, ...clientCredentials };
    expect((await ask("POST", `${OAUTH}/token`, { form })).body).toEqual({ error: "invalid_request" });
    const { body: second } = await ask("POST", `${OAUTH}/token`, { form: { ...form, redirect_uri } });
    await ask("POST", `${OAUTH}/revocation`, { form: { token: second.access_token, ...clientCredentials } });
    expect((await measurements(second.access_token, { since: "2026-05-01" })).status).toBe(401);
  });

  test("returns readings since a date, truncated at the limit", async () => {
    const { access_token: token } = await connect();
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 4, 1, 12), provider.now());
    const systolic: number[] = [];
    let since = "2026-05-01";
    for (let isWhole = false; !isWhole; ) {
      const { status, result } = (await measurements(token, { since, limit: "6", type: "bloodpressure" })).body;
      expect(status).toBe(0);
      systolic.push(...result.bloodPressure.slice(since.length > 10 ? 1 : 0).map((one: typeof result) => one.systolic));
      since = result.bloodPressure.at(-1).dateTime;
      isWhole = !result.truncated;
    }
    expect(systolic).toEqual(truth.blood_pressure?.map((one) => one.systolic));
    expect((await measurements(token, {})).status).toBe(400);
    expect((await measurements((await connect("openid")).access_token, { since })).status).toBe(403);
  });
});

describe("pushes of Omron", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("are forms with the user and the time of the reading", async () => {
    provider.setWebhook({ url: receiver.origin });
    const { id_token } = await connect();
    await provider.notify({ account: "ada", kind: "bloodpressure", date: "2026-05-19", change: "create" });
    const form = new URLSearchParams(receiver.received[0]?.body);
    expect(Object.fromEntries(form)).toEqual({ id: subjectOf(id_token), timestamp: "2026-05-19T05:30:00Z" });
  });
});
