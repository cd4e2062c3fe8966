import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  basicAuthorization,
  clientCredentials,
  DAY_MS,
  PushReceiver,
  startSimulatedProviders,
} from "./simulated-providers.ts";

const API = "www.polaraccesslink.com/v3";
const TOKEN = "polarremote.com/v2/oauth2/token";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("polar");

async function connect(account = "ada") {
  const code = (await consent("flow.polar.com/oauth2/authorization", "polar", { account })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("polar") };
  return { form, tokens: (await ask("POST", TOKEN, { form, headers: basicAuthorization })).body };
}
const register = (token: string) => ask("POST", `${API}/users`, { token, json: { "member-id": "me" } });

describe("Polar tokens", () => {
  test("require HTTP Basic, name the user, and can not be refreshed", async () => {
    const code = (await consent("flow.polar.com/oauth2/authorization", "polar", {})).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: callback("polar") };
    expect((await ask("POST", TOKEN, { form: { ...form, ...clientCredentials } })).status).toBe(401);
    const { body } = await ask("POST", TOKEN, { form, headers: basicAuthorization });
    expect(body).toMatchObject({ token_type: "bearer", x_user_id: expect.any(Number) });
    expect(body).not.toHaveProperty("refresh_token");
    const refresh = { grant_type: "refresh_token", refresh_token: body.access_token };
    expect((await ask("POST", TOKEN, { form: refresh, headers: basicAuthorization })).body.error).toBe(
      "unsupported_grant_type",
    );
  });

  test("give no data before the registration of the user and none after its deletion", async () => {
    const { tokens } = await connect("bert");
    const { access_token: token, x_user_id: id } = tokens;
    expect((await ask("GET", `${API}/users/sleep`, { token })).status).toBe(403);
    expect((await register(token)).body["polar-user-id"]).toBe(id);
    expect((await register(token)).status).toBe(409);
    expect((await ask("GET", `${API}/users/sleep`, { token })).status).toBe(200);
    expect((await ask("DELETE", `${API}/users/${id}`, { token })).status).toBe(204);
    expect((await ask("GET", `${API}/users/sleep`, { token })).status).toBe(401);
  });
});

describe("Polar data", () => {
  test("comes in ranges of up to 28 days that match the expected records", async () => {
    const token = (await connect()).tokens.access_token;
    await register(token);
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 17, 12));
    const range = "from=2026-04-20&to=2026-05-17";
    const { body } = await ask("GET", `${API}/users/sleep?${range}`, { token });
    expect(body.nights).toHaveLength(28);
    expect(body.nights.map((night: { deep_sleep: number }) => night.deep_sleep)).toEqual(
      truth.sleep?.map(({ deep }) => deep),
    );
    const { body: days } = await ask("GET", `${API}/users/activities?${range}`, { token });
    expect(days.map(({ steps }: { steps: number }) => steps)).toEqual(truth.activity?.map(({ steps }) => steps));
    const { body: one } = await ask("GET", `${API}/users/continuous-heart-rate/2026-04-20`, { token });
    expect(one.heart_rate_samples.map(({ heart_rate }: { heart_rate: number }) => heart_rate)).toEqual(
      truth.heartrate?.slice(0, 288).map(({ value }) => value),
    );
    expect((await ask("GET", `${API}/users/sleep?from=2026-04-19&to=2026-05-17`, { token })).status).toBe(400);
    expect((await ask("GET", `${API}/users/sleep/2027-01-01`, { token })).status).toBe(204);
  });

  test("contains only exercises after the registration, with samples as strings", async () => {
    const token = (await connect("cleo")).tokens.access_token;
    await register(token);
    expect((await ask("GET", `${API}/exercises`, { token })).body).toEqual([]);
    const registeredMs = provider.now();
    await skip(12 * DAY_MS);
    const { body } = await ask("GET", `${API}/exercises?samples=true`, { token });
    const truth = provider.expectedRecords("cleo", registeredMs, provider.now());
    expect(body.map(({ id }: { id: string }) => id)).toEqual(truth.workouts?.map(({ provider_id }) => provider_id));
    const beats = body[0].samples.find((sample: Record<string, unknown>) => sample["sample-type"] === "0");
    expect(beats.data.split(",").map(Number)).toEqual(truth.workout_stream?.[0]?.heartrate);
    expect((await ask("GET", `${API}/exercises/${body[0].id}`, { token })).body).not.toHaveProperty("samples");
  });

  test("reports both rate windows in headers and gives 429 after 520 requests", async () => {
    const token = (await connect()).tokens.access_token;
    await skip(900_000);
    const call = () => ask("GET", `${API}/users/sleep/2026-05-01`, { token });
    for (let left = 520; left > 0; left--) await call();
    const over = await call();
    expect(over.status).toBe(429);
    expect(over.headers["ratelimit-limit"]).toBe("520, 5100");
    expect(over.headers["ratelimit-usage"]).toMatch(/^521, \d+$/);
    await skip(1_000 * Number(over.headers["ratelimit-reset"]?.split(",")[0]));
    expect((await call()).status).toBe(200);
  });
});

describe("a Polar webhook", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("exists once its URL has answered a ping, and signs with a secret that is shown once", async () => {
    const json = { events: ["EXERCISE", "SLEEP"], url: receiver.origin };
    receiver.answer = () => ({ status: 500 });
    expect((await ask("POST", `${API}/webhooks`, { headers: basicAuthorization, json })).status).toBe(400);
    receiver.answer = () => ({ status: 200 });
    const { status, body } = await ask("POST", `${API}/webhooks`, { headers: basicAuthorization, json });
    expect(status).toBe(201);
    expect((await ask("POST", `${API}/webhooks`, { headers: basicAuthorization, json })).status).toBe(409);
    const list = await ask("GET", `${API}/webhooks`, { headers: basicAuthorization });
    expect(JSON.stringify(list.body)).not.toContain(body.data.signature_secret_key);
    await provider.notify({ account: "ada", kind: "SLEEP", date: "2026-05-18", change: "create" });
    const push = receiver.received.at(-1)!;
    const right = createHmac("sha256", body.data.signature_secret_key).update(push.body).digest("hex");
    expect(push.headers["polar-webhook-signature"]).toBe(right);
    expect(
      await provider.notify({ account: "ada", kind: "ACTIVITY_SUMMARY", date: "2026-05-18", change: "create" }),
    ).toEqual([]);
  });
});
