import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basicAuthorization, clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const TOKEN = "api.fitbit.com/oauth2/token";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("fitbit");

async function connect() {
  const scope = "activity sleep weight profile";
  const code = (await consent("www.fitbit.com/oauth2/authorize", "fitbit", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("fitbit") };
  return (await ask("POST", TOKEN, { form, headers: basicAuthorization })).body;
}
const refresh = (refresh_token: string, headers: Record<string, string> = basicAuthorization) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token }, headers });

describe("Fitbit", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("requires HTTP Basic and rotates refresh tokens", async () => {
    const first = await connect();
    expect((await refresh(first.refresh_token, {})).status).toBe(401);
    expect((await refresh(first.refresh_token)).body.user_id).toBe(first.user_id);
    expect((await refresh(first.refresh_token)).body.errors[0].errorType).toBe("invalid_grant");
  });

  test("returns nights of at most 100 days that match the expected records", async () => {
    const { access_token: token } = await connect();
    const nights = (from: string) =>
      ask("GET", `api.fitbit.com/1.2/user/-/sleep/date/${from}/2026-05-19.json`, { token });
    const { body } = await nights("2026-04-20");
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12));
    expect(body.sleep.reverse().map(({ logId }: { logId: number }) => String(logId))).toEqual(
      truth.sleep?.map(({ provider_id }) => provider_id),
    );
    expect((await nights("2026-02-08")).status).toBe(400);
    const day = await ask("GET", "api.fitbit.com/1/user/-/activities/date/2026-04-20.json", { token });
    expect(day.body.summary.distances[0].distance * 1000).toBeCloseTo(Number(truth.activity?.[0]?.distance), 6);
    expect((await ask("GET", "api.fitbit.com/1/user/-/profile.json", { token })).body.user.timezone).toBe(
      "Europe/Berlin",
    );
  });

  test("responds with 429 after 150 requests in an hour", async () => {
    const { access_token: token } = await connect();
    const call = () => ask("GET", "api.fitbit.com/1/user/-/profile.json", { token });
    for (let left = 150; left > 0; left--) await call();
    const over = await call();
    expect(over.status).toBe(429);
    expect(over.headers["fitbit-rate-limit-remaining"]).toBe("0");
    await skip(1_000 * Number(over.headers["retry-after"]));
    expect((await call()).status).toBe(200);
  });

  test("signs the notifications of subscribed users", async () => {
    const { access_token: token } = await connect();
    provider.setWebhook({ url: receiver.origin });
    const change = { account: "ada", kind: "sleep", date: "2026-05-18", change: "update" } as const;
    expect(await provider.notify(change)).toEqual([]);
    const subscribe = () => ask("POST", "api.fitbit.com/1/user/-/sleep/apiSubscriptions/u1.json", { token });
    expect([(await subscribe()).status, (await subscribe()).status]).toEqual([201, 200]);
    await provider.notify(change);
    const { headers, body } = receiver.received[0]!;
    const right = createHmac("sha1", `${clientCredentials.client_secret}&`).update(body).digest("base64");
    expect(headers["x-fitbit-signature"]).toBe(right);
    expect(JSON.parse(body)).toMatchObject([{ collectionType: "sleep", date: "2026-05-18", subscriptionId: "u1" }]);
  });
});
