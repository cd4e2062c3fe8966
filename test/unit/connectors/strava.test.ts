import { beforeAll, describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
import { revokeAccess } from "../../../lib/services/connections/oauth/revoke-access.ts";
import { capturePushes, subscribeToPushes } from "./captured-pushes.ts";
import { compareWithExpected, connectProvider, DAY_MS, oauthApp } from "./connected-provider.ts";

type World = Awaited<ReturnType<typeof connectProvider>>;
let world: World;
let truth: ReturnType<World["provider"]["expectedRecords"]>;
const window = { startMs: Date.UTC(2026, 3, 19, 12), endMs: Date.UTC(2026, 4, 20, 12) };
const short = { startMs: Date.UTC(2026, 4, 10), endMs: window.endMs };
beforeAll(async () => {
  world = await connectProvider("strava");
  await world.connect();
  truth = world.provider.expectedRecords("ada", Date.UTC(2026, 3, 21, 12), Date.UTC(2026, 4, 19, 12));
});

describe("Strava data of 30 days", () => {
  test("contains the recorded workouts and streams in the service's units", async () => {
    const kept = await world.pull("workouts", window);
    const { found, right } = compareWithExpected(kept.summaries("workouts"), truth.workouts, "provider_id");
    expect(right.length).toBeGreaterThan(3);
    expect(found).toEqual(right);
    for (const { provider_id, ...course } of truth.workout_stream ?? [])
      expect(kept.stream("workout_stream", String(provider_id))).toMatchObject(course);
  });

  test("contains the current profile", async () => {
    const kept = await world.pull("profile", { startMs: 0, endMs: window.endMs });
    expect(kept.summaries("profile")).toMatchObject(truth.profile ?? []);
    expect(kept.summaries("body")).toMatchObject([{ calendar_date: "2026-05-20", ...truth.body?.[0] }]);
  });
});

test("a workout that is listed twice is fetched once", async () => {
  const asked = () => world.server.requests.filter(({ path }) => path.endsWith("/streams")).length;
  const before = asked();
  await world.pull("workouts", short);
  const once = asked() - before;
  world.provider.setSwitches({ duplicates: true });
  await world.pull("workouts", short);
  world.provider.setSwitches({ duplicates: false });
  expect(asked() - before).toBe(2 * once);
});

describe("Strava access", () => {
  test("is refreshed once per refresh token until it ends", async () => {
    const before = world.refreshes();
    for (const _ of [1, 2, 3]) {
      world.provider.tokens.expireAccessTokens();
      await world.pull("profile", window);
    }
    expect(world.refreshes()).toBe(before + 3);
  });

  test("waits for the next quarter of an hour, or for the next day", async () => {
    const fresh = await connectProvider("strava");
    await fresh.connect();
    fresh.provider.setSwitches({ rate_limited: 1 });
    const error = await fresh.pull("profile", window).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error.retryAtMs).toBe(Date.UTC(2026, 4, 20, 12, 15));
    const headers = new Headers({ "x-ratelimit-limit": "200,2000", "x-ratelimit-usage": "3,2000" });
    expect(fresh.connector.retryAt?.(headers, fresh.clock.now())).toBe(Date.UTC(2026, 4, 21));
  });

  test("ends once the user revokes it, also when the error is not in OAuth's format", async () => {
    const fresh = await connectProvider("strava");
    await fresh.connect("eve");
    fresh.provider.tokens.revoke("eve");
    await expect(fresh.pull("profile", window)).rejects.toThrow(AccessEnded);
  });
});

test("revocation authenticates with HTTP Basic", async () => {
  const fresh = await connectProvider("strava");
  await fresh.connect("bob");
  await revokeAccess(fresh.connector, fresh.request, fresh.tokens().access_token);
  await expect(fresh.pull("profile", window)).rejects.toThrow(AccessEnded);
});

describe("a Strava push", () => {
  beforeAll(() => subscribeToPushes(world, ""));

  test("arrives for a subscription whose challenge is answered only for the verification token", () => {
    const answer = (token: string) => {
      const fields = { "hub.mode": "subscribe", "hub.challenge": "c", "hub.verify_token": token };
      const request = { method: "GET", headers: {}, body: "", query: new URLSearchParams(fields) } as const;
      return world.connector.push?.answerChallenge?.(request, oauthApp);
    };
    expect(answer(derivePushKey(oauthApp, "strava"))).toEqual({ status: 200, body: { "hub.challenge": "c" } });
    expect(answer("another")).toBeUndefined();
  });

  test("names the activity that the connector pulls", async () => {
    const { calendar_date, provider_id } = truth.workouts?.at(-1) ?? {};
    const [pushed] = await capturePushes(world, { kind: "activity", date: String(calendar_date), change: "create" });
    const accountId = await world.connect();
    expect(pushed).toMatchObject({
      isProven: true,
      parsed: [{ accountId, changed: { resource: "workouts", id: provider_id } }],
    });
    const kept = await world.pullOne("workouts", String(provider_id));
    expect(
      compareWithExpected(kept.summaries("workouts"), truth.workouts?.slice(-1), "provider_id").found,
    ).toHaveLength(1);
    expect((await world.pullOne("workouts", "1")).summaries("workouts")).toEqual([]);
    expect(
      await capturePushes(world, { kind: "activity", date: String(calendar_date), change: "delete" }),
    ).toMatchObject([{ parsed: [] }]);
  });

  test("reports a user who revoked access", async () => {
    const [pushed] = await capturePushes(world, { kind: "athlete", date: "2026-05-18", change: "update" });
    expect(pushed).toMatchObject({ isProven: true, parsed: [{ isRevoked: true }] });
  });

  test("is rejected when altered or too old, and without a signature unless the URL has the key", async () => {
    const [pushed] = await capturePushes(world, { kind: "athlete", date: "2026-05-18", change: "update" });
    const { push } = world.connector;
    const { request } = pushed!;
    const now = world.clock.now();
    expect(push?.verify({ ...request, body: request.body.replace("false", "true") }, oauthApp, now)).toBe(false);
    expect(push?.verify(request, oauthApp, now + DAY_MS)).toBe(false);
    expect(push?.verify({ ...request, headers: {} }, oauthApp, now)).toBe(false);
    const key = new URLSearchParams({ key: derivePushKey(oauthApp, "strava") });
    expect(push?.verify({ ...request, headers: {}, query: key }, oauthApp, now)).toBe(true);
  });
});
