import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const { default: FitParser } = createRequire(import.meta.url)("fit-file-parser");
const API = "api.wahooligan.com/v1";
const TOKEN = "api.wahooligan.com/oauth/token";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("wahoo");

async function connect() {
  const scope = "user_read workouts_read offline_data";
  const code = (await consent("api.wahooligan.com/oauth/authorize", "wahoo", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("wahoo"), ...clientCredentials };
  return (await ask("POST", TOKEN, { form })).body;
}
const refresh = (refresh_token: string, more = {}) =>
  ask("POST", TOKEN, { form: { grant_type: "refresh_token", refresh_token, ...clientCredentials, ...more } });

describe("Wahoo tokens", () => {
  test("rotate, and end with the revoked permissions", async () => {
    const first = await connect();
    expect((await refresh(first.refresh_token, { client_secret: "wrong" })).status).toBe(401);
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
    expect((await ask("DELETE", `${API}/permissions`, { token: second.access_token })).status).toBe(200);
    expect((await ask("GET", `${API}/user`, { token: second.access_token })).status).toBe(401);
  });
});

describe("Wahoo workouts", () => {
  test("page to the end without loss, with numbers as strings that match the expected records", async () => {
    const { access_token: token } = await connect();
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
    const all: any[] = [];
    for (let page = 1; ; page++) {
      const { body } = await ask("GET", `${API}/workouts?page=${page}&per_page=50`, { token });
      all.push(...body.workouts);
      if (all.length >= body.total) break;
    }
    const truth = provider.expectedRecords("ada", 0, provider.now()).workouts ?? [];
    expect(all.reverse().map(({ id }) => String(id))).toEqual(truth.map(({ provider_id }) => provider_id));
    expect(all.map(({ workout_summary }) => workout_summary.distance_accum)).toEqual(
      truth.map(({ distance }) => Number(distance ?? 0).toFixed(2)),
    );
  });

  test("have a FIT file that an independent parser reads", async () => {
    const streams = provider.expectedRecords("ada", Date.UTC(2026, 3, 1), provider.now()).workout_stream ?? [];
    const { access_token: token } = await connect();
    for (const stream of streams.slice(0, 4)) {
      const { body } = await ask("GET", `${API}/workouts/${stream.provider_id}/workout_summary`, { token });
      const file = await ask("GET", body.file.url.replace("https://", ""));
      const parser = new FitParser({ force: false, speedUnit: "m/s", lengthUnit: "m", mode: "list" });
      const fit = await parser.parseAsync(file.body);
      const column = (name: string) => fit.records.flatMap((record: Record<string, unknown>) => record[name] ?? []);
      expect(column("heart_rate")).toEqual(stream.heartrate);
      expect(column("timestamp").map((time: Date) => time.getTime() / 1000)).toEqual(stream.time);
      for (const [field, name] of [
        ["distance", "distance"],
        ["altitude", "altitude"],
        ["position_lat", "lat"],
        ["power", "power"],
      ] as const) {
        const known = stream[name] as number[];
        expect(column(field), name).toEqual(known.map((value) => expect.closeTo(value, 5)));
      }
    }
  });

  test("give 429 after 200 requests in 5 minutes, with headers for all three rate windows", async () => {
    const { access_token: token } = await connect();
    await skip(300_000);
    const call = () => ask("GET", `${API}/user`, { token });
    for (let left = 200; left > 0; left--) await call();
    const over = await call();
    expect(over.status).toBe(429);
    expect(over.headers["x-ratelimit-limit"]).toBe("200, 1000, 5000");
    await skip(1_000 * Number(over.headers["x-ratelimit-reset"]?.split(",")[0]));
    expect((await call()).status).toBe(200);
  });
});

describe("Wahoo webhooks", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("carry the summary and repeat after half an hour", async () => {
    provider.setWebhook({ url: receiver.origin });
    const day = provider.expectedRecords("ada", Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 19)).workouts?.[0];
    const date = String(day?.time_start).slice(0, 10);
    receiver.answer = () => ({ status: 500 });
    await provider.notify({ account: "ada", kind: "workout_summary", date, change: "create" });
    receiver.answer = () => ({ status: 200 });
    await skip(1_800_000);
    expect(receiver.received).toHaveLength(2);
    const body = JSON.parse(receiver.received[1]?.body ?? "");
    expect(body).toMatchObject({ event_type: "workout_summary", webhook_token: "tributary-local-webhook-token" });
    expect(String(body.workout_summary.workout.id)).toBe(day?.provider_id);
  });
});
