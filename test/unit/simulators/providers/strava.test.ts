import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "www.strava.com/api/v3";
const TOKEN = "www.strava.com/oauth/token";
const SCOPES = "activity:read_all,profile:read_all";
const { server, clock, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("strava");

async function connect(more: Record<string, string> = {}) {
  const query = await consent("www.strava.com/oauth/authorize", "strava", { scope: SCOPES, ...more });
  const form = { grant_type: "authorization_code", code: query.get("code") ?? "", ...clientCredentials };
  const redirect_uri = callback("strava");
  return { scope: query.get("scope"), tokens: (await ask("POST", TOKEN, { form: { ...form, redirect_uri } })).body };
}
const refresh = (refresh_token: string) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials } });

describe("Strava tokens", () => {
  test("name the athlete, the expiry and the granted scopes", async () => {
    const { scope, tokens } = await connect({ without: "profile:read_all" });
    expect(scope).toBe("activity:read_all");
    expect(tokens.expires_at).toBe(clock.now() / 1000 + 21_600);
    const me = await ask("GET", `${API}/athlete`, { token: tokens.access_token });
    expect(me.body.id).toBe(tokens.athlete.id);
    const wrong = { grant_type: "refresh_token", refresh_token: "x", ...clientCredentials, client_secret: "wrong" };
    expect(await ask("POST", TOKEN, { form: wrong })).toMatchObject({
      status: 401,
      body: { message: "Authorization Error" },
    });
  });

  test("rotate, and end with either form of revocation", async () => {
    const { tokens } = await connect();
    const { body: second } = await refresh(tokens.refresh_token);
    expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { message: "Bad Request" } });
    const revoke = (asked: { form: Record<string, string>; headers?: Record<string, string> }) =>
      ask("POST", "www.strava.com/oauth/revoke", asked);
    const token = second.refresh_token;
    expect((await revoke({ form: { token, ...clientCredentials } })).status).toBe(401);
    const authorization = `Basic ${btoa(`${clientCredentials.client_id}:${clientCredentials.client_secret}`)}`;
    expect((await revoke({ form: { token }, headers: { authorization } })).status).toBe(200);
    expect((await refresh(second.refresh_token)).status).toBe(400);
    const { tokens: others } = await connect();
    const old = await ask("POST", "www.strava.com/oauth/deauthorize", { form: { access_token: others.access_token } });
    expect(old.status).toBe(200);
    expect((await ask("GET", `${API}/athlete`, { token: others.access_token })).status).toBe(401);
  });
});

describe("Strava data", () => {
  test("pages to an empty page without loss and matches the expected records", async () => {
    const token = (await connect()).tokens.access_token;
    const [fromMs, untilMs] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 4, 19, 12)];
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const query = `after=${fromMs / 1000}&before=${untilMs / 1000}&per_page=7&page=${page}`;
      const { body } = await ask("GET", `${API}/athlete/activities?${query}`, { token });
      if (body.length === 0) break;
      ids.push(...body.map(({ id }: { id: number }) => String(id)));
    }
    const truth = provider
      .expectedRecords("ada", fromMs, untilMs)
      .workouts?.filter(({ time_start }) => Date.parse(String(time_start)) < untilMs);
    expect(ids).toEqual(truth?.map(({ provider_id }) => provider_id));
    const { body: one } = await ask("GET", `${API}/activities/${ids[0]}`, { token });
    expect(one.calories).toBe(truth?.[0]?.calories);
    expect((await ask("GET", `${API}/activities/1`, { token })).status).toBe(404);
    expect((await ask("GET", `${API}/athlete/activities?per_page=201`, { token })).status).toBe(400);
  });

  test("has streams of equal length that match the expected records", async () => {
    const token = (await connect()).tokens.access_token;
    const streams = provider.expectedRecords("ada", Date.UTC(2026, 3, 1), Date.UTC(2026, 4, 19)).workout_stream ?? [];
    for (const stream of streams.slice(0, 4)) {
      const url = `${API}/activities/${stream.provider_id}/streams?keys=time,heartrate,latlng,distance&key_by_type=true`;
      const { body } = await ask("GET", url, { token });
      expect(body.heartrate.data).toEqual(stream.heartrate);
      expect(body.distance?.data ?? []).toEqual(stream.distance);
      expect((body.latlng?.data ?? []).map(([lat]: number[]) => lat)).toEqual(stream.lat);
      expect(body.time.data).toHaveLength(body.heartrate.original_size);
    }
  });

  test("gives 429 after 200 requests until the next quarter of an hour", async () => {
    const token = (await connect()).tokens.access_token;
    await skip(900_000);
    const call = () => ask("GET", `${API}/athlete`, { token });
    for (let left = 200; left > 0; left--) await call();
    const over = await call();
    expect(over).toMatchObject({ status: 429, body: { message: "Rate Limit Exceeded" } });
    expect(over.headers["x-ratelimit-limit"]).toBe("200,2000");
    expect(over.headers["x-ratelimit-usage"]).toMatch(/^201,\d+$/);
    await skip(900_000);
    expect((await call()).status).toBe(200);
  });
});

describe("Strava pushes", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("use one subscription, verified by a challenge, and are signed", async () => {
    const form = { ...clientCredentials, callback_url: `${receiver.origin}/strava`, verify_token: "mine" };
    const subscribe = () => ask("POST", `${API}/push_subscriptions`, { form });
    expect((await subscribe()).status).toBe(400);
    receiver.answer = ({ url }) => {
      const challenge = url.searchParams.get("hub.challenge");
      return { status: 200, body: JSON.stringify({ "hub.challenge": challenge }) };
    };
    const { status, body } = await subscribe();
    expect(status).toBe(201);
    expect((await subscribe()).body.errors[0].code).toBe("already exists");
    await provider.notify({ account: "ada", kind: "athlete", date: "2026-05-18", change: "delete" });
    const push = receiver.received.at(-1)!;
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(push.headers["x-strava-signature"] ?? "") ?? [];
    expect(signature).toBe(
      createHmac("sha256", clientCredentials.client_secret).update(`${time}.${push.body}`).digest("hex"),
    );
    expect(JSON.parse(push.body)).toMatchObject({ subscription_id: body.id, updates: { authorized: "false" } });
  });
});
