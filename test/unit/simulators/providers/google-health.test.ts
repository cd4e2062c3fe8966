import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const USER = "health.googleapis.com/v4/users/me";
const TOKEN = "oauth2.googleapis.com/token";
const AUTHORIZE = "accounts.google.com/o/oauth2/v2/auth";
const scope = ["activity_and_fitness", "health_metrics_and_measurements", "sleep"]
  .map((area) => `https://www.googleapis.com/auth/googlehealth.${area}.readonly`)
  .join(" ");
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("google_health");

async function connect(more: Record<string, string> = { access_type: "offline" }) {
  const code = (await consent(AUTHORIZE, "google_health", { scope, ...more })).get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: callback("google_health"),
    ...clientCredentials,
  };
  return (await ask("POST", TOKEN, { form })).body;
}
const refresh = (refresh_token: string, more = {}) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials, ...more } });

/** All data points of a type, oldest first. */
async function all(kind: string, member: string, token: string, pageSize = 4000) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  const points: any[] = [];
  const filter = `${member} >= "2026-04-19T22:00:00Z" AND ${member} < "2026-05-19T22:00:00Z"`;
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    const query = new URLSearchParams({ filter, pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) });
    const { status, body } = await ask("GET", `${USER}/dataTypes/${kind}/dataPoints?${query}`, { token });
    expect(status).toBe(200);
    points.push(...body.dataPoints);
    pageToken = body.nextPageToken;
  }
  return points.reverse();
}
const truth = () => provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12));

describe("Google Health tokens", () => {
  test("can be refreshed with offline access; the refresh token stays the same", async () => {
    expect(await connect({})).not.toHaveProperty("refresh_token");
    const first = await connect();
    expect((await refresh(first.refresh_token, { client_secret: "wrong" })).status).toBe(401);
    const { body } = await refresh(first.refresh_token);
    expect(body).toMatchObject({ expires_in: 3_599 });
    expect(body).not.toHaveProperty("refresh_token");
    expect((await refresh(first.refresh_token)).status).toBe(200);
    expect((await ask("POST", `oauth2.googleapis.com/revoke?token=${body.access_token}`)).status).toBe(200);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
  });

  test("are bound to the code verifier when the request has a challenge, and to none otherwise", async () => {
    const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const code = async (more: Record<string, string>) =>
      (await consent(AUTHORIZE, "google_health", { scope, ...more })).get("code") ?? "";
    const redeem = async (more: Record<string, string>) => {
      const fixed = { grant_type: "authorization_code", redirect_uri: callback("google_health"), ...clientCredentials };
      return (await ask("POST", TOKEN, { form: { ...fixed, ...more } as Record<string, string> })).status;
    };
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    expect(await redeem({ code: await code(pkce) })).toBe(400);
    expect(await redeem({ code: await code({}), code_verifier })).toBe(400);
    expect(await redeem({ code: await code(pkce), code_verifier: `${code_verifier}x` })).toBe(400);
    expect(await redeem({ code: await code(pkce), code_verifier })).toBe(200);
  });
});

describe("Google Health data", () => {
  test("pages to the end without loss and matches the expected records, in the provider's units", async () => {
    const { access_token: token } = await connect();
    const beats = await all("heart-rate", "heart_rate.sample_time.physical_time", token);
    expect(beats.map(({ heartRate }) => Number(heartRate.beatsPerMinute))).toEqual(
      truth().heartrate?.map(({ value }) => value),
    );
    const weights = await all("weight", "weight.sample_time.physical_time", token);
    expect(weights.map(({ weight }) => weight.weightGrams / 1000)).toEqual(
      truth().body_weight?.map(({ value }) => value),
    );
    const metres = await all("distance", "distance.interval.start_time", token);
    const sum = metres.reduce((all, { distance }) => all + Number(distance.millimeters) / 1000, 0);
    expect(sum).toBe(truth().activity?.reduce((all, { distance }) => all + Number(distance), 0));
    const nights = await all("sleep", "sleep.interval.end_time", token);
    expect(nights.map(({ name }) => name)).toEqual(truth().sleep?.map(({ provider_id }) => provider_id));
    expect(nights.map(({ sleep }) => 60 * Number(sleep.summary.minutesAsleep))).toEqual(
      truth().sleep?.map(({ total }) => total),
    );
  });

  test("rolls up to sums of windows over at most 90 days, or 14 days of heart rate", async () => {
    const { access_token: token } = await connect();
    const range = { startTime: "2026-04-19T22:00:00Z", endTime: "2026-05-19T22:00:00Z" };
    const rolled = (kind: string, json: object) =>
      ask("POST", `${USER}/dataTypes/${kind}/dataPoints:rollUp`, { token, json });
    const { body } = await rolled("steps", { range, windowSize: "86400s" });
    expect(body.rollupDataPoints.map(({ steps }: { steps: { countSum: string } }) => Number(steps.countSum))).toEqual(
      truth().activity?.map(({ steps }) => steps),
    );
    expect((await rolled("heart-rate", { range, windowSize: "86400s" })).body.error.status).toBe("INVALID_ARGUMENT");
  });

  test("rejects filters on other members, missing scopes, and the 301st request of a minute", async () => {
    const { access_token: token } = await connect({ access_type: "offline", without: scope.split(" ")[2] ?? "" });
    const list = (kind: string, filter: string) =>
      ask("GET", `${USER}/dataTypes/${kind}/dataPoints?${new URLSearchParams({ filter })}`, { token });
    expect((await list("steps", 'weight.sample_time.physical_time >= "2026-05-01T00:00:00Z"')).status).toBe(400);
    expect((await list("sleep", "")).body.error.status).toBe("PERMISSION_DENIED");
    for (let left = 298; left > 0; left--) await ask("GET", `${USER}/identity`, { token });
    const over = await ask("GET", `${USER}/identity`, { token });
    expect(over).toMatchObject({ status: 429, body: { error: { status: "RESOURCE_EXHAUSTED" } } });
    await skip(60_000);
    expect((await ask("GET", `${USER}/identity`, { token })).status).toBe(200);
  });
});

describe("Google Health subscribers", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("reject notifications without the secret and receive notifications signed with the published key", async () => {
    const headers = { authorization: `Bearer ${clientCredentials.client_secret}` };
    const configs = [{ dataTypes: ["sleep", "steps"], subscriptionCreatePolicy: "AUTOMATIC" }];
    const json = {
      endpointUri: receiver.origin,
      subscriberConfigs: configs,
      endpointAuthorization: { secret: "Bearer mine" },
    };
    const create = () =>
      ask("POST", "health.googleapis.com/v4/projects/p/subscribers?subscriberId=s1", { headers, json });
    receiver.answer = () => ({ status: 201 });
    expect((await create()).status).toBe(400);
    receiver.answer = ({ headers: sent }) => ({ status: sent.authorization === "Bearer mine" ? 201 : 401 });
    expect((await create()).status).toBe(200);
    await provider.notify({ account: "ada", kind: "sleep", date: "2026-05-18", change: "update" });
    const push = receiver.received.at(-1)!;
    expect(JSON.parse(push.body)[0].data).toMatchObject({ operation: "UPSERT", dataType: "sleep" });

    const { body } = await ask("GET", "www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json");
    const [{ keyData, keyId }] = body.key;
    const value = Buffer.from(keyData.value, "base64");
    const [x, y] = [value.subarray(11, 43), value.subarray(46, 78)].map((bytes) => bytes.toString("base64url"));
    const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
    const signature = Buffer.from(push.headers["google-health-api-signature"] ?? "", "base64");
    expect([signature.readUInt8(0), signature.readUInt32BE(1)]).toEqual([1, keyId]);
    expect(verify("sha256", Buffer.from(push.body), key, signature.subarray(5))).toBe(true);
    expect(verify("sha256", Buffer.from(`${push.body} `), key, signature.subarray(5))).toBe(false);
  });
});
