import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basicAuthorization, DAY_MS, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "cloudapi.suunto.com";
const OAUTH = "cloudapi-oauth.suunto.com/oauth";
const headers = { "ocp-apim-subscription-key": "tributary-local-subscription-key" };
const { server, clock, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("suunto");
const truth = (days: number) => provider.expectedRecords("ada", clock.now() - days * DAY_MS, clock.now());

async function connect() {
  const code = (await consent(`${OAUTH}/authorize`, "suunto", {})).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("suunto") };
  expect((await ask("POST", `${OAUTH}/token`, { form })).status).toBe(401);
  return (await ask("POST", `${OAUTH}/token`, { form, headers: basicAuthorization })).body;
}

test("access tokens are JWTs that name the user, and end with the withdrawal of access", async () => {
  const { access_token: token, user } = await connect();
  expect(JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString())).toMatchObject({ user: "ada" });
  expect(user).toBe("ada");
  expect((await ask("GET", `${API}/v3/workouts`, { token })).status).toBe(401);
  expect((await ask("GET", `${API}/v3/workouts`, { token, headers })).status).toBe(200);
  await ask("GET", `${OAUTH}/deauthorize?client_id=tributary-local`, { token });
  expect((await ask("GET", `${API}/v3/workouts`, { token, headers })).status).toBe(401);
});

test("workouts are the expected ones, by start or by modification", async () => {
  const { access_token: token } = await connect();
  const workouts = truth(40).workouts ?? [];
  const since = clock.now() - 40 * DAY_MS;
  const list = async (query: string) =>
    (await ask("GET", `${API}/v3/workouts?since=${since}&${query}`, { token, headers })).body.payload;
  const listed = await list("limit=100&filter-by-modification-time=false");
  expect(listed.map(({ workoutKey }: { workoutKey: string }) => workoutKey).reverse()).toEqual(
    workouts.map(({ provider_id }) => provider_id),
  );
  expect(await list("limit=1&offset=1")).toEqual(listed.slice(1, 2));
  const file = await ask("GET", `${API}/v3/workouts/${listed[0].workoutKey}/fit`, { token, headers });
  expect(file.body.subarray(8, 12).toString()).toBe(".FIT");
});

test("samples of at most 28 days state local times, fractions and joules", async () => {
  const { access_token: token } = await connect();
  const range = (days: number) => `from=${clock.now() - days * DAY_MS}&to=${clock.now()}`;
  expect((await ask("GET", `${API}/247samples/sleep?${range(29)}`, { token, headers })).status).toBe(400);
  const { body: nights } = await ask("GET", `${API}/247samples/sleep?${range(27)}`, { token, headers });
  const last = truth(27).sleep?.at(-1);
  expect(Date.parse(nights.at(-1).entryData.BedtimeEnd)).toBe(Date.parse(String(last?.bedtime_stop)));
  expect(nights.at(-1).entryData).toMatchObject({ DeepSleepDuration: last?.deep, HRMin: last?.hr_lowest });
  const { body: samples } = await ask("GET", `${API}/247samples/activity?${range(27)}`, { token, headers });
  const day = truth(3).activity?.at(-1);
  const ofDay = samples.filter(({ timestamp }: { timestamp: string }) =>
    timestamp.startsWith(String(day?.calendar_date)),
  );
  const sum = ofDay.reduce((total: number, { entryData }: { entryData: { StepCount?: number } }) => {
    return total + (entryData.StepCount ?? 0);
  }, 0);
  expect(sum).toBe(day?.steps);
});

describe("notifications", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("carry the data, signed with the notification secret", async () => {
    provider.setWebhook({ url: receiver.origin });
    const date = String(truth(3).sleep?.at(-1)?.calendar_date);
    for (const kind of ["sleep", "activity"]) await provider.notify({ account: "ada", kind, date, change: "create" });
    const workout = truth(20).workouts?.at(-1);
    const of = String(workout?.time_start).slice(0, 10);
    await provider.notify({ account: "ada", kind: "workout", date: of, change: "create" });
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([
      { type: "SUUNTO_247_SLEEP_CREATED", username: "ada" },
      { type: "SUUNTO_247_ACTIVITY_CREATED", username: "ada" },
      { type: "WORKOUT_CREATED", workout: { workoutKey: workout?.provider_id } },
    ]);
    for (const { headers: given, body } of receiver.received)
      expect(given["x-hmac-sha256-signature"]).toBe(
        createHmac("sha256", "tributary-local-notification-secret").update(body).digest("hex"),
      );
  });
});
