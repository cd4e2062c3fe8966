import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCredentials, PushReceiver, startSimulatedProviders } from "./simulated-providers.ts";

const AUTH = "api.prod.whoop.com/oauth/oauth2";
const API = "api.prod.whoop.com/developer/v2";
const SCOPES = "offline read:profile read:cycles read:recovery read:sleep read:workout";
const { server, ask, skip, consent, callback } = startSimulatedProviders();
const provider = server.provider("whoop_v2");

async function connect(scope = SCOPES) {
  const code = (await consent(`${AUTH}/auth`, "whoop_v2", { scope })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: callback("whoop_v2"), ...clientCredentials };
  return (await ask("POST", `${AUTH}/token`, { form })).body;
}
const refresh = (refresh_token: string) =>
  ask("POST", `${AUTH}/token`, {
    form: { grant_type: "refresh_token", refresh_token, scope: "offline", ...clientCredentials },
  });

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
async function all(path: string, token: string): Promise<any[]> {
  const items: unknown[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const query = `limit=25&start=2026-04-19T22:00:00Z&end=2026-05-20T12:00:00Z${next && `&nextToken=${next}`}`;
    const { status, body } = await ask("GET", `${API}${path}?${query}`, { token });
    expect(status).toBe(200);
    items.push(...body.records);
    next = body.next_token;
  }
  return items;
}

describe("WHOOP tokens", () => {
  test("need a state of 8 characters, the client secret in the body, and the scope `offline` for a refresh token", async () => {
    expect((await consent(`${AUTH}/auth`, "whoop_v2", { scope: SCOPES, state: "short" })).get("error")).toBe(
      "invalid_state",
    );
    expect((await connect("read:sleep")).refresh_token).toBeUndefined();
    const wrong = { grant_type: "refresh_token", refresh_token: "x", ...clientCredentials, client_secret: "wrong" };
    expect((await ask("POST", `${AUTH}/token`, { form: wrong })).status).toBe(401);
  });

  test("rotate, expire after an hour, and end with revocation", async () => {
    const first = await connect();
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body).toEqual({ error: "invalid_grant" });
    const profile = () => ask("GET", `${API}/user/profile/basic`, { token: second.access_token });
    expect((await profile()).status).toBe(200);
    await skip(3_600_000);
    expect((await profile()).status).toBe(401);
    const { body: third } = await refresh(second.refresh_token);
    expect((await ask("DELETE", `${API}/user/access`, { token: third.access_token })).status).toBe(204);
    expect((await refresh(third.refresh_token)).body).toEqual({ error: "invalid_grant" });
  });
});

describe("WHOOP data", () => {
  test("pages to the end without loss, newest first, and matches the expected records", async () => {
    const { access_token: token } = await connect();
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 3, 21, 12), Date.UTC(2026, 4, 20, 12));
    const sleeps = (await all("/activity/sleep", token)).filter(({ start }) => start >= "2026-04-20T12");
    expect(sleeps.reverse().map(({ id }) => id)).toEqual(truth.sleep?.map(({ provider_id }) => provider_id));
    expect(sleeps.map(({ score }) => score.stage_summary.total_slow_wave_sleep_time_milli / 1000)).toEqual(
      truth.sleep?.map(({ deep }) => deep),
    );
    const workouts = (await all("/activity/workout", token)).reverse();
    const known = provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 20, 12)).workouts;
    expect(workouts.map(({ id }) => id)).toEqual(known?.map(({ provider_id }) => provider_id));
    expect(workouts.map(({ score }) => score.kilojoule / 4.184)).toEqual(
      known?.map(({ calories }) => expect.closeTo(Number(calories), 6)),
    );
    const recoveries = await all("/recovery", token);
    expect(recoveries[0].sleep_id).toBe(truth.sleep?.at(-1)?.provider_id);
    const [cycle] = await all("/cycle", token);
    expect(cycle.end).toBeNull();
  });

  test("is unscored for half an hour", async () => {
    const { access_token: token } = await connect();
    const [last] = await all("/activity/sleep", token);
    const now = Date.parse(last.end) + 60_000 - Date.UTC(2026, 4, 20, 12);
    const early = startSimulatedProviders();
    await early.skip(now);
    const code = (await early.consent(`${AUTH}/auth`, "whoop_v2", { scope: SCOPES })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: callback("whoop_v2"), ...clientCredentials };
    const { body } = await early.ask("POST", `${AUTH}/token`, { form });
    const asked = await early.ask("GET", `${API}/activity/sleep`, { token: body.access_token });
    expect(asked.body.records[0]).toMatchObject({ id: last.id, score_state: "PENDING_SCORE" });
    expect(asked.body.records[0]).not.toHaveProperty("score");
  });

  test("rejects more than 25 records per page, a missing scope, and the 101st request of a minute", async () => {
    const { access_token: token } = await connect("read:sleep");
    await skip(60_000);
    expect((await ask("GET", `${API}/activity/sleep?limit=26`, { token })).status).toBe(400);
    expect((await ask("GET", `${API}/cycle`, { token })).status).toBe(403);
    for (let left = 98; left > 0; left--)
      await ask("GET", `${API}/activity/sleep?limit=1&start=2026-05-18T00:00:00Z`, { token });
    const over = await ask("GET", `${API}/activity/sleep`, { token });
    expect(over.status).toBe(429);
    expect(over.headers["x-ratelimit-limit"]).toBe("100, 100;window=60, 10000;window=86400");
    expect(over.headers["x-ratelimit-remaining"]).toBe("0");
    await skip(1_000 * Number(over.headers["x-ratelimit-reset"]));
    expect((await ask("GET", `${API}/activity/sleep`, { token })).status).toBe(200);
  });
});

describe("WHOOP webhooks", () => {
  let receiver: PushReceiver;
  beforeAll(async () => {
    receiver = await PushReceiver.start();
  });
  afterAll(() => receiver.stop());

  test("are signed over timestamp and body, and duplicated when configured", async () => {
    provider.setWebhook({ url: receiver.origin });
    provider.setSwitches({ duplicates: true });
    await provider.notify({ account: "ada", kind: "recovery", date: "2026-05-18", change: "update" });
    expect(receiver.received).toHaveLength(2);
    const { headers, body } = receiver.received[0]!;
    const time = headers["x-whoop-signature-timestamp"];
    const right = createHmac("sha256", clientCredentials.client_secret).update(`${time}${body}`).digest("base64");
    expect(headers["x-whoop-signature"]).toBe(right);
    const truth = provider.expectedRecords("ada", Date.UTC(2026, 4, 18, 12), Date.UTC(2026, 4, 18, 12));
    expect(JSON.parse(body)).toMatchObject({ type: "recovery.updated", id: truth.sleep?.[0]?.provider_id });
  });
});
