import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "apis.garmin.com/wellness-api/rest";
const AUTHORIZE = "connect.garmin.com/oauth2Confirm";
const TOKEN = "diauth.garmin.com/di-oauth2-service/oauth/token";
const code_verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789";
const pkce = {
  code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
  code_challenge_method: "S256",
};
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("garmin");

async function connect(more: Record<string, string> = {}) {
  const code = (await consent(AUTHORIZE, "garmin", { ...pkce, ...more })).get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    code_verifier,
    redirect_uri: callback("garmin"),
    ...clientCredentials,
  };
  return (await ask("POST", TOKEN, { form })).body;
}
const refresh = (refresh_token: string, more = {}) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials, ...more } });

let receiver: PushReceiver;
beforeAll(async () => {
  receiver = await PushReceiver.start();
  provider.setWebhook({ url: `${receiver.origin}/unguessable` });
});
afterAll(() => receiver.stop());

describe("Garmin tokens", () => {
  test("need PKCE and the client secret, and rotate", async () => {
    expect((await consent(AUTHORIZE, "garmin", {})).get("error")).toBe("invalid_request");
    const first = await connect();
    expect((await refresh(first.refresh_token, { client_secret: "wrong" })).status).toBe(401);
    expect((await refresh(first.refresh_token)).status).toBe(200);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
  });

  test("list the granted permissions, and end with a push when the registration is deleted", async () => {
    const { access_token: token } = await connect({ without: "HISTORICAL_DATA_EXPORT" });
    const { body } = await ask("GET", `${API}/user/permissions`, { token });
    expect(body.permissions).toEqual(["ACTIVITY_EXPORT", "HEALTH_EXPORT"]);
    const range = "summaryStartTimeInSeconds=1778000000&summaryEndTimeInSeconds=1778086400";
    expect((await ask("GET", `${API}/backfill/dailies?${range}`, { token })).status).toBe(403);
    const { userId } = (await ask("GET", `${API}/user/id`, { token })).body;
    expect((await ask("DELETE", `${API}/user/registration`, { token })).status).toBe(204);
    expect((await ask("GET", `${API}/user/id`, { token })).status).toBe(401);
    await skip(5_000);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? "")).toEqual({ deregistrations: [{ userId }] });
  });
});

describe("Garmin pushes", () => {
  const range = (from: string, until: string) =>
    `summaryStartTimeInSeconds=${Date.parse(from) / 1000}&summaryEndTimeInSeconds=${Date.parse(until) / 1000}`;

  test("follow a backfill request of at most 30 days, accepted once, and match the expected records", async () => {
    const { access_token: token } = await connect();
    const asked = `${API}/backfill/sleeps?${range("2026-04-19T22:00:00Z", "2026-05-19T22:00:00Z")}`;
    expect((await ask("GET", asked, { token })).status).toBe(202);
    expect((await ask("GET", asked, { token })).status).toBe(409);
    const long = range("2026-04-19T22:00:00Z", "2026-05-19T22:00:01Z");
    expect((await ask("GET", `${API}/backfill/dailies?${long}`, { token })).status).toBe(400);
    receiver.received.length = 0;
    await skip(5_000);
    expect(receiver.received[0]?.headers["garmin-client-id"]).toBe(clientCredentials.client_id);
    const sleeps = receiver.received.flatMap(({ body }) => JSON.parse(body).sleeps);
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 19, 12)).sleep ?? [];
    expect(sleeps.map(({ summaryId }) => summaryId)).toEqual(truth.map(({ provider_id }) => provider_id));
    const ends = sleeps.map(
      ({ startTimeInSeconds, durationInSeconds, awakeDurationInSeconds }) =>
        startTimeInSeconds + durationInSeconds + awakeDurationInSeconds,
    );
    expect(ends).toEqual(truth.map(({ bedtime_stop }) => Date.parse(String(bedtime_stop)) / 1000));
  });

  test("of details contain all of many summaries and repeat until they are accepted", async () => {
    const { access_token: token } = await connect();
    const asked = range("2026-04-22T22:00:00Z", "2026-05-02T22:00:00Z");
    expect((await ask("GET", `${API}/backfill/epochs?${asked}`, { token })).status).toBe(202);
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 503 });
    await skip(5_000);
    receiver.answer = () => ({ status: 200 });
    const failed = receiver.received.length;
    expect(failed).toBeGreaterThan(1);
    await skip(60_000);
    expect(receiver.received).toHaveLength(2 * failed);
    const epochs = receiver.received.slice(failed).flatMap(({ body }) => JSON.parse(body).epochs);
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 23, 12), Date.UTC(2026, 4, 2, 12)).activity ?? [];
    const sum = (values: unknown[]) => values.reduce<number>((all, value) => all + Number(value), 0);
    expect(sum(epochs.map(({ steps }) => steps))).toBe(sum(truth.map(({ steps }) => steps)));
  });

  test("are the only source: polling is not possible, and excess requests get 429", async () => {
    const { access_token: token } = await connect();
    expect((await ask("GET", `${API}/dailies`, { token })).status).toBe(404);
    await skip(60_000);
    for (let left = 100; left > 0; left--) await ask("GET", `${API}/user/id`, { token });
    expect((await ask("GET", `${API}/user/id`, { token })).status).toBe(429);
  });
});
