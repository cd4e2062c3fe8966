import { describe, expect, test } from "vitest";
import { clientCredentials, startSimulatedProviders } from "./simulated-providers.ts";

const API = "partner.ultrahuman.com/api/partners";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("ultrahuman");

async function connect(scope = "ring_data cgm_data profile") {
  const code = (await consent("auth.ultrahuman.com/authorise", "ultrahuman", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("ultrahuman"), ...clientCredentials };
  return (await ask("POST", `${API}/oauth/token`, { form })).body;
}
const refresh = (refresh_token: string, more = {}) =>
  ask("POST", `${API}/oauth/token`, {
    form: { grant_type: "refresh_token", refresh_token, ...clientCredentials, ...more },
  });
const metrics = async (token: string, date: string) =>
  (await ask("GET", `${API}/v1/user_data/metrics?date=${date}`, { token })).body.data.metric_data;

describe("Ultrahuman", () => {
  test("rotates refresh tokens, authenticates its application, and revokes access", async () => {
    const first = await connect();
    expect((await refresh(first.refresh_token, { client_secret: "wrong" })).status).toBe(401);
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
    await ask("POST", `${API}/oauth/revoke`, { form: { token: second.access_token, ...clientCredentials } });
    const after = await ask("GET", `${API}/v1/user_data/metrics?date=2026-05-18`, { token: second.access_token });
    expect(after.status).toBe(401);
  });

  test("returns one day at a time that matches the expected records", async () => {
    const { access_token: token } = await connect();
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 4, 18, 12), Date.UTC(2026, 4, 18, 12));
    const found = await metrics(token, "2026-05-18");
    const object = (type: string) => found.find((metric: { type: string }) => metric.type === type)?.object;
    expect(object("hr").values.map(({ value }: { value: number }) => value)).toEqual(
      truth.heartrate?.map(({ value }) => value),
    );
    expect(object("hrv").values.map(({ value }: { value: number }) => value)).toEqual(
      truth.hrv?.map(({ value }) => value),
    );
    const steps = object("steps").values.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
    expect(steps).toBe(truth.activity?.[0]?.steps);
    const stages = object("Sleep").sleep_stages as { type: string; stage_time: number }[];
    expect(stages.find(({ type }) => type === "rem_sleep")?.stage_time).toBe(truth.sleep?.[0]?.rem);
    expect((await ask("GET", `${API}/v1/user_data/metrics`, { token })).status).toBe(400);
  });

  test("returns sensor data only with its scope, and rate-limits with 429", async () => {
    const { access_token: token } = await connect("ring_data");
    const types = (await metrics(token, "2026-05-18")).map(({ type }: { type: string }) => type);
    expect(types).not.toContain("glucose");
    provider.setSwitches({ rate_limited: 1 });
    const over = await ask("GET", `${API}/v1/user_data/metrics?date=2026-05-18`, { token });
    expect(over.status).toBe(429);
    await skip(1_000 * Number(over.headers["retry-after"]));
    expect(await metrics(token, "2026-05-18")).not.toHaveLength(0);
  });
});
