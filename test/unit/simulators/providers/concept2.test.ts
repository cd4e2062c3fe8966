import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const API = "log.concept2.com/api/users/me";
const TOKEN = "log.concept2.com/oauth/access_token";
const scope = "user:read,results:read";
const { server, ask, consent, callback } = startSimulatedProviders();
const provider = server.provider("concept2");
const truth = () => provider.expectedRecords("ada", 0, provider.now());

async function connect() {
  const code = (await consent("log.concept2.com/oauth/authorize", "concept2", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("concept2"), ...clientCredentials };
  const withoutScope = await ask("POST", TOKEN, { form });
  expect(withoutScope).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  return (await ask("POST", TOKEN, { form: { ...form, scope } })).body;
}

test("tokens last a week, and rotate", async () => {
  const { access_token, refresh_token, expires_in } = await connect();
  expect(expires_in).toBe(604_800);
  expect((await ask("GET", API, { token: access_token })).body.data.dob).toBe(truth().profile?.[0]?.birth_date);
  const form = { grant_type: "refresh_token", refresh_token, scope, ...clientCredentials };
  expect((await ask("POST", TOKEN, { form })).status).toBe(200);
  expect((await ask("POST", TOKEN, { form })).status).toBe(400);
});

describe("results", () => {
  test("page to the end, newest first, and state the end of the workout in local time", async () => {
    const { access_token: token } = await connect();
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
    const all: any[] = [];
    for (let next: string | undefined = `${API}/results?number=10`; next; ) {
      const { body } = await ask("GET", next, { token });
      all.push(...body.data);
      next = body.meta.pagination.links.next?.replace("http://", "");
    }
    const workouts = truth().workouts ?? [];
    expect(all.toReversed().map(({ id }) => String(id))).toEqual(workouts.map(({ provider_id }) => provider_id));
    expect(all.at(-1).date_utc.replace(" ", "T")).toBe(String(workouts[0]?.time_end).slice(0, 19));
    expect(all.at(-1).time / 10).toBe(workouts[0]?.moving_time);
  });

  test("are those of the given days, the last included", async () => {
    const { access_token: token } = await connect();
    const day = String(truth().workouts?.at(-1)?.time_start).slice(0, 10);
    const count = async (query: string) =>
      (await ask("GET", `${API}/results?${query}`, { token })).body.meta.pagination.total;
    expect(await count(`from=${day}&to=${day}`)).toBe(1);
    expect(await count(`from=${day}&to=2000-01-01`)).toBe(0);
    expect((await ask("GET", `${API}/results?from=yesterday`, { token })).status).toBe(422);
  });

  test("have strokes in tenths of a second and decimetres", async () => {
    const { access_token: token } = await connect();
    const stream = truth().workout_stream?.[0] as { time: number[]; distance: number[]; provider_id: string };
    const { body } = await ask("GET", `${API}/results/${stream.provider_id}/strokes`, { token });
    expect(body.data.map(({ t }: { t: number }) => t / 10)).toEqual(stream.time.map((time) => time - stream.time[0]!));
    expect(body.data.map(({ d }: { d: number }) => d / 10)).toEqual(stream.distance);
    expect((await ask("GET", `${API}/results/1/strokes`, { token })).status).toBe(404);
  });
});

describe("webhooks", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("carry the result, and of a deletion its id alone", async () => {
    provider.setWebhook({ url: receiver.origin });
    const workout = truth().workouts?.at(-1);
    const about = { account: "ada", kind: "result", date: String(workout?.time_start).slice(0, 10) };
    await provider.notify({ ...about, change: "create" });
    await provider.notify({ ...about, change: "delete" });
    const [added, deleted] = receiver.received.map(({ body }) => JSON.parse(body).data);
    expect(String(added.result.id)).toBe(workout?.provider_id);
    expect(deleted).toEqual({ type: "result-deleted", result_id: added.result.id });
  });
});
