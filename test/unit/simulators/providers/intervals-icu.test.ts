import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "intervals.icu/api/v1";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("intervals_icu");

async function connect(scope = "ACTIVITY:READ,WELLNESS:READ", more = {}) {
  const code = (await consent("intervals.icu/oauth/authorize", "intervals_icu", { scope })).get("code") ?? "";
  const form = {
    code,
    grant_type: "authorization_code",
    redirect_uri: callback("intervals_icu"),
    ...clientCredentials,
  };
  return ask("POST", "intervals.icu/api/oauth/token", { form: { ...form, ...more } });
}

describe("Intervals.icu", () => {
  test("names the athlete with a token that never expires, and answers 404 for an unknown application", async () => {
    const { body } = await connect();
    expect(body).toMatchObject({ token_type: "Bearer", scope: "ACTIVITY:READ,WELLNESS:READ" });
    expect(body.athlete.id).toMatch(/^i\d+$/);
    expect([body.expires_in, body.refresh_token]).toEqual([undefined, undefined]);
    expect((await connect("ACTIVITY:READ", { client_secret: "wrong" })).status).toBe(404);
  });

  test("lists activities between local dates, the newest first, and returns their streams", async () => {
    const { access_token: token } = (await connect()).body;
    const list = await ask("GET", `${API}/athlete/0/activities?oldest=2026-04-01&newest=2026-05-19`, { token });
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 1, 12), Date.UTC(2026, 4, 19, 12));
    expect(list.body.map(({ id }: { id: string }) => id).reverse()).toEqual(
      truth.workouts?.map(({ provider_id }) => provider_id),
    );
    const ride = truth.workout_stream?.find(({ power }) => (power as number[]).length > 0);
    const types = "time,latlng,watts,temp";
    const { body } = await ask("GET", `${API}/activity/${ride?.provider_id}/streams.json?types=${types}`, { token });
    expect(body.map(({ type }: { type: string }) => type)).toEqual(["time", "latlng", "watts"]);
    expect([body[1].data, body[1].data2, body[2].data]).toEqual([ride?.lat, ride?.lng, ride?.power]);
    expect((await ask("GET", `${API}/activity/i1`, { token })).status).toBe(404);
    expect((await ask("GET", `${API}/athlete/i1/activities?oldest=2026-04-01`, { token })).status).toBe(403);
  });

  test("returns the days of the diary, the current one without its totals, and only with their scope", async () => {
    const { access_token: token } = (await connect()).body;
    const url = `${API}/athlete/0/wellness?oldest=2026-05-18&newest=2026-05-20`;
    const { body } = await ask("GET", url, { token });
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 4, 18, 12), Date.UTC(2026, 4, 20, 11));
    expect(body.map(({ weight }: { weight: number }) => weight)).toEqual(truth.body?.map(({ weight }) => weight));
    expect(body.map(({ steps }: { steps: number }) => steps)).toEqual([
      ...(truth.activity ?? []).map(({ steps }) => steps),
      null,
    ]);
    const { access_token: other } = (await connect("ACTIVITY:READ")).body;
    expect((await ask("GET", url, { token: other })).status).toBe(403);
  });
});

describe("webhooks of Intervals.icu", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("carry their secret and the activity, and repeat after a failure", async () => {
    provider.setWebhook({ url: receiver.origin });
    const workout = provider.expectedRecords("ada", Date.UTC(2026, 4, 1), provider.now()).workouts?.[0];
    receiver.answer = () => ({ status: 500 });
    const date = String(workout?.calendar_date);
    await provider.notify({ account: "ada", kind: "ACTIVITY_UPLOADED", date, change: "create" });
    receiver.answer = () => ({ status: 200 });
    await skip(60_000);
    expect(receiver.received).toHaveLength(2);
    const { secret, events } = JSON.parse(receiver.received[1]?.body ?? "");
    expect(secret).toBe("tributary-local-webhook-secret");
    expect(events[0]).toMatchObject({ type: "ACTIVITY_UPLOADED", activity: { id: workout?.provider_id } });
  });
});
