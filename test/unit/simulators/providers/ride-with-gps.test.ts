import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "ridewithgps.com/api/v1";
const { server, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("ride_with_gps");

async function connect(more = {}) {
  const code = (await consent("ridewithgps.com/oauth/authorize", "ride_with_gps", {})).get("code") ?? "";
  const redirect_uri = callback("ride_with_gps");
  const form = { grant_type: "authorization_code", code, redirect_uri, ...clientCredentials, ...more };
  return ask("POST", "ridewithgps.com/oauth/token.json", { form });
}

describe("Ride with GPS", () => {
  test("names the user with the token, which never expires, and authenticates its application", async () => {
    const { body } = await connect();
    expect(body).toMatchObject({ token_type: "Bearer", scope: "user" });
    expect(body).not.toHaveProperty("refresh_token");
    const { body: user } = await ask("GET", `${API}/users/current.json`, { token: body.access_token });
    expect(user.user.id).toBe(body.user_id);
    expect((await connect({ client_secret: "wrong" })).status).toBe(401);
    provider.tokens.revoke("ada");
    expect((await ask("GET", `${API}/users/current.json`, { token: body.access_token })).status).toBe(401);
  });

  test("pages through all trips, the last updated first, and returns a trip in km/h with its points", async () => {
    const { access_token: token } = (await connect()).body;
    const ids: string[] = [];
    let next: string | null = `https://${API}/trips.json?page_size=50`;
    while (next !== null) {
      const { body } = await ask("GET", next.replace("https://", ""), { token });
      ids.push(...body.trips.map(({ id }: { id: number }) => String(id)));
      next = body.meta.pagination.next_page_url;
    }
    const truth = provider.expectedRecords("ada", 0, provider.now());
    expect(ids.toReversed()).toEqual(truth.workouts?.map(({ provider_id }) => provider_id));
    const right = truth.workouts?.findLast(({ average_watts }) => average_watts !== null);
    const { trip } = (await ask("GET", `${API}/trips/${right?.provider_id}.json`, { token })).body;
    expect([trip.distance, trip.avg_watts, trip.avg_speed]).toEqual([right?.distance, right?.average_watts, 23.04]);
    const stream = truth.workout_stream?.find(({ provider_id }) => provider_id === right?.provider_id);
    expect(trip.track_points.map(({ h }: { h: number }) => h)).toEqual(stream?.heartrate);
    expect((await ask("GET", `${API}/trips/1.json`, { token })).status).toBe(404);
    expect((await ask("GET", `${API}/trips.json?page=0`, { token })).status).toBe(400);
  });

  test("lists the changes since an instant", async () => {
    const { access_token: token } = (await connect()).body;
    const since = "2026-05-01T00:00:00Z";
    const { items, meta } = (await ask("GET", `${API}/sync.json?since=${since}`, { token })).body;
    const truth = provider.expectedRecords("ada", Date.parse(since), provider.now()).workouts ?? [];
    expect(items.map(({ item_id }: { item_id: number }) => String(item_id))).toEqual(
      truth.map(({ provider_id }) => provider_id),
    );
    expect(Date.parse(meta.rwgps_datetime)).toBe(provider.now());
  });
});

describe("pushes of Ride with GPS", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("carry a signature of their body", async () => {
    provider.setWebhook({ url: receiver.origin });
    const trip = provider.expectedRecords("ada", Date.UTC(2026, 4, 1), provider.now()).workouts?.[0];
    const date = String(trip?.calendar_date);
    await provider.notify({ account: "ada", kind: "trip", date, change: "create" });
    const push = receiver.received[0];
    const body = push?.body ?? "";
    const right = createHmac("sha256", clientCredentials.client_secret).update(body).digest("hex");
    expect(push?.headers["x-rwgps-signature"]).toBe(right);
    expect(String(JSON.parse(body).notifications[0].item_id)).toBe(trip?.provider_id);
  });
});
