import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, DAY_MS, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const AUTHORIZE = "cloud.ouraring.com/oauth/authorize";
const TOKEN = "api.ouraring.com/oauth/token";
const USER = "api.ouraring.com/v2/usercollection";
const SCOPES = "personal email daily heartrate workout spo2 heart_health";

const { server, clock, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("oura");
const application = { "x-client-id": clientCredentials.client_id, "x-client-secret": clientCredentials.client_secret };

async function connect(scope = SCOPES, account = "ada") {
  const code = (await consent(AUTHORIZE, "oura", { scope, account })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("oura"), ...clientCredentials };
  return { code, form, tokens: (await ask("POST", TOKEN, { form })).body };
}

const refresh = (refresh_token: string) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials } });

/** All items of a collection. */
async function all(path: string, token: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const { status, body } = await ask("GET", `${USER}/${path}${next && `&next_token=${next}`}`, { token });
    expect(status).toBe(200);
    items.push(...body.data);
    next = body.next_token;
  }
  return items;
}

describe("Oura authorization", () => {
  test("issues tokens for a code once, only to the application and its redirect URI", async () => {
    const { form, tokens } = await connect();
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 86_400 });
    expect(await ask("POST", TOKEN, { form })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const code = (await consent(AUTHORIZE, "oura", { scope: SCOPES })).get("code") ?? "";
    const wrong = await ask("POST", TOKEN, { form: { ...form, code, client_secret: "wrong" } });
    expect(wrong).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    const unknown = await ask("POST", TOKEN, { form: { ...form, code, client_id: "unknown" } });
    expect(unknown.status).toBe(401);
    const elsewhere = { ...form, code, redirect_uri: "http://127.0.0.1:4000/other" };
    expect((await ask("POST", TOKEN, { form: elsewhere })).body).toEqual({ error: "invalid_grant" });
    const basic = {
      authorization: `Basic ${Buffer.from("tributary-local:tributary-local-secret").toString("base64")}`,
    };
    const { client_id: _, client_secret: __, ...bare } = form;
    expect((await ask("POST", TOKEN, { form: { ...bare, code }, headers: basic })).status).toBe(401);
    expect((await ask("POST", TOKEN, { form: { ...form, code } })).status).toBe(200);
  });

  test("redirects only to the local callback URI", async () => {
    for (const redirect_uri of [
      "https://example.com/v2/link/callback/oura",
      "http://127.0.0.1:1/v2/link/callback/whoop_v2",
      "http://127.0.0.1.example.com/v2/link/callback/oura",
      "http://a@127.0.0.1/v2/link/callback/oura",
    ]) {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientCredentials.client_id,
        redirect_uri,
      });
      expect((await ask("GET", `${AUTHORIZE}?${query}&auto=allow`)).status, redirect_uri).toBe(400);
    }
  });

  test("reports a denial and an unknown scope, and may grant fewer scopes than requested", async () => {
    const denied = await consent(AUTHORIZE, "oura", { scope: SCOPES, auto: "deny" });
    expect(Object.fromEntries(denied)).toEqual({ error: "access_denied", state: "state-123456" });
    expect((await consent(AUTHORIZE, "oura", { scope: "everything" })).get("error")).toBe("invalid_scope");
    const some = await consent(AUTHORIZE, "oura", { scope: "daily heartrate", without: "heartrate" });
    expect(some.get("scope")).toBe("daily");
    const { body: tokens } = await ask("POST", TOKEN, {
      form: {
        grant_type: "authorization_code",
        code: some.get("code") ?? "",
        redirect_uri: callback("oura"),
        ...clientCredentials,
      },
    });
    expect((await ask("GET", `${USER}/heartrate`, { token: tokens.access_token })).status).toBe(403);
    expect((await ask("GET", `${USER}/sleep`, { token: tokens.access_token })).status).toBe(200);
  });

  test("shows a consent page with the scopes and escapes the request's parameters", async () => {
    const redirect_uri = callback("oura");
    const query = new URLSearchParams({
      response_type: "code",
      ...clientCredentials,
      redirect_uri,
      scope: "daily",
      state: '"><b>',
    });
    const { status, body } = await ask("GET", `${AUTHORIZE}?${query}`);
    expect(status).toBe(200);
    expect(body).toContain('name="granted" value="daily"');
    expect(body).not.toContain("<b>");
  });

  test("rotates refresh tokens and ends all tokens when the user revokes access", async () => {
    const { tokens } = await connect();
    const { body: second } = await refresh(tokens.refresh_token);
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    expect((await refresh(tokens.refresh_token)).body).toEqual({ error: "invalid_grant" });
    expect((await ask("GET", `${USER}/personal_info`, { token: second.access_token })).body.id).toBe("oura-ada");
    expect((await ask("POST", `api.ouraring.com/oauth/revoke?access_token=${second.access_token}`)).status).toBe(200);
    expect((await ask("GET", `${USER}/personal_info`, { token: second.access_token })).status).toBe(401);
    expect((await refresh(second.refresh_token)).body).toEqual({ error: "invalid_grant" });
  });

  test("expires access tokens after a day, or when configured", async () => {
    const { tokens } = await connect();
    provider.tokens.expireAccessTokens();
    expect((await ask("GET", `${USER}/sleep`, { token: tokens.access_token })).status).toBe(401);
    const { body: second } = await refresh(tokens.refresh_token);
    await skip(DAY_MS - 1);
    expect((await ask("GET", `${USER}/sleep`, { token: second.access_token })).status).toBe(200);
    await skip(1);
    expect((await ask("GET", `${USER}/sleep`, { token: second.access_token })).status).toBe(401);
  });
});

describe("Oura data", () => {
  const range = "start_date=2026-04-20&end_date=2026-05-19";

  test("pages to the end without loss and matches the expected records", async () => {
    const token = (await connect()).tokens.access_token;
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12));
    const sleeps = await all(`sleep?${range}`, token);
    expect(sleeps.map(({ id }) => id)).toEqual(truth.sleep?.map(({ provider_id }) => provider_id));
    expect(sleeps.map((night) => night.total_sleep_duration)).toEqual(truth.sleep?.map(({ total }) => total));
    expect(new Set(sleeps.map(({ id }) => id)).size).toBe(30);
    const days = await all(`daily_activity?${range}`, token);
    expect(days.map(({ steps }) => steps)).toEqual(truth.activity?.map(({ steps }) => steps));
    expect(days.map((day) => Number(day.low_activity_time) / 60)).toEqual(truth.activity?.map(({ low }) => low));
    const beats = await all("heartrate?start_datetime=2026-04-19T22:00:00Z&end_datetime=2026-05-19T22:00:00Z", token);
    expect(beats.map(({ bpm }) => bpm)).toEqual(truth.heartrate?.map(({ value }) => value));
    expect(beats).toHaveLength(30 * 288);
  });

  test("has stages that add up to the totals of the night", async () => {
    const token = (await connect()).tokens.access_token;
    for (const night of await all(`sleep?${range}`, token)) {
      const phases = String(night.sleep_phase_5_min);
      const seconds = (code: string) => 300 * [...phases].filter((phase) => phase === code).length;
      expect(seconds("1")).toBe(night.deep_sleep_duration);
      expect(seconds("2")).toBe(night.light_sleep_duration);
      expect(seconds("3")).toBe(night.rem_sleep_duration);
      expect(seconds("4")).toBe(night.awake_time);
      const inBed = Date.parse(String(night.bedtime_end)) - Date.parse(String(night.bedtime_start));
      expect(inBed / 1000).toBe(night.time_in_bed);
    }
  });

  test("rejects ranges that are too long or invalid, and returns single documents", async () => {
    const token = (await connect()).tokens.access_token;
    const long = "heartrate?start_datetime=2026-04-01T00:00:00Z&end_datetime=2026-05-02T00:00:00Z";
    expect((await ask("GET", `${USER}/${long}`, { token })).status).toBe(400);
    expect((await ask("GET", `${USER}/sleep?start_date=yesterday`, { token })).status).toBe(422);
    const [night] = await all(`sleep?${range}`, token);
    expect((await ask("GET", `${USER}/sleep/${night?.id}`, { token })).body).toEqual(night);
    expect((await ask("GET", `${USER}/sleep/unknown`, { token })).status).toBe(404);
  });

  test("revises and duplicates records when configured", async () => {
    const token = (await connect()).tokens.access_token;
    const [before] = await all(`daily_activity?${range}`, token);
    provider.setSwitches({ revision: 1, duplicates: true });
    const [first, second, third] = await all(`daily_activity?${range}`, token);
    provider.setSwitches({ revision: 0, duplicates: false });
    expect(first).toEqual(second);
    expect(third?.id).not.toBe(second?.id);
    expect(first?.id).toBe(before?.id);
    expect(first?.steps).toBe(Number(before?.steps) + 100);
  });

  test("responds with 429 and a retry time after 5,000 requests in 5 minutes, or when configured", async () => {
    const token = (await connect()).tokens.access_token;
    const call = () => ask("GET", `${USER}/personal_info`, { token });
    provider.setSwitches({ rate_limited: 1 });
    expect((await call()).status).toBe(429);
    expect((await call()).status).toBe(200);
    for (let left = 4_998; left > 0; left--) await call();
    const over = await call();
    expect(over.status).toBe(429);
    expect(over.headers).toMatchObject({ "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0" });
    await skip(1_000 * Number(over.headers["retry-after"]));
    expect((await call()).status).toBe(200);
  });
});

describe("Oura webhooks", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  const subscribe = (path = "") =>
    ask("POST", "api.ouraring.com/v2/webhook/subscription", {
      headers: application,
      json: {
        callback_url: `${receiver.origin}/hook${path}`,
        verification_token: "mine",
        event_type: "update",
        data_type: "sleep",
      },
    });
  const change = { account: "ada", kind: "sleep", date: "2026-05-18", change: "update" } as const;

  test("require an answer to the challenge and the application's secret", async () => {
    receiver.answer = () => ({ status: 200, body: "{}" });
    expect((await subscribe()).status).toBe(400);
    receiver.answer = ({ url }) => {
      expect(url.searchParams.get("verification_token")).toBe("mine");
      return { status: 200, body: JSON.stringify({ challenge: url.searchParams.get("challenge") }) };
    };
    const { status, body } = await subscribe();
    expect(status).toBe(201);
    expect(Date.parse(body.expiration_time)).toBe(clock.now() + 90 * DAY_MS);
    expect((await ask("GET", "api.ouraring.com/v2/webhook/subscription")).status).toBe(401);
  });

  test("sign pushes, repeat rejected pushes, and lose pushes when configured", async () => {
    receiver.answer = () => ({ status: 500 });
    receiver.received.length = 0;
    expect(await provider.notify(change)).toMatchObject([{ status: 500 }]);
    receiver.answer = () => ({ status: 200 });
    await skip(60_000);
    expect(receiver.received).toHaveLength(2);
    const { headers, body } = receiver.received[1]!;
    const { "x-oura-timestamp": timestamp, "x-oura-signature": signature } = headers;
    const expected = createHmac("sha256", clientCredentials.client_secret).update(`${timestamp}${body}`).digest("hex");
    expect(signature).toBe(expected.toUpperCase());
    expect(JSON.parse(body)).toMatchObject({ event_type: "update", data_type: "sleep", user_id: "oura-ada" });
    provider.setSwitches({ lost_pushes: 1 });
    expect(await provider.notify(change)).toMatchObject([{ status: null }]);
    expect(receiver.received).toHaveLength(2);
    expect(await provider.notify(change)).toMatchObject([{ status: 200 }]);
    expect(await provider.notify({ ...change, kind: "workout" })).toEqual([]);
  });
});
