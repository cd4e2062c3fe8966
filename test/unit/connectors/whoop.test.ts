import { beforeAll, describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { whoopRecordId } from "../../../lib/simulators/providers/whoop/whoop-expected-records.ts";
import { capturePushes, subscribeToPushes } from "./captured-pushes.ts";
import {
  compareWithExpected,
  connectProvider,
  DAY_MS,
  oauthApp,
  type StoredRecords,
  storedSamples,
} from "./connected-provider.ts";

type World = Awaited<ReturnType<typeof connectProvider>>;
let world: World;
let truth: ReturnType<World["provider"]["expectedRecords"]>;
const window = { startMs: Date.UTC(2026, 3, 19, 12), endMs: Date.UTC(2026, 4, 20, 12) };
beforeAll(async () => {
  world = await connectProvider("whoop_v2");
  expect(await world.connect()).toMatch(/^\d+$/);
  truth = world.provider.expectedRecords("ada", Date.UTC(2026, 3, 21, 12), Date.UTC(2026, 4, 19, 12));
});

describe("WHOOP data of 30 days", () => {
  test.each([
    ["activity", "calendar_date"],
    ["sleep", "calendar_date"],
    ["workouts", "provider_id"],
  ])("contains the measured %s in the service's units", async (name, key) => {
    const { found, right } = compareWithExpected((await world.pull(name, window)).summaries(name), truth[name], key);
    expect(right.length).toBeGreaterThan(3);
    expect(found).toEqual(right);
  });

  test("contains the values of each sleep as samples at its end", async () => {
    const kept = await world.pull("sleep", window);
    const byEnd = (name: string) => new Map(storedSamples(kept.samples(name)) as [number, number][]);
    for (const night of truth.sleep ?? []) {
      const end = Date.parse(String(night.bedtime_stop));
      expect(byEnd("hrv").get(end)).toBeCloseTo(Number(night.average_hrv));
      expect(byEnd("respiratory_rate").get(end)).toBeCloseTo(Number(night.respiratory_rate));
    }
  });

  test("contains the current profile", async () => {
    const kept = await world.pull("profile", { startMs: 0, endMs: window.endMs });
    expect(kept.summaries("profile")).toMatchObject(truth.profile ?? []);
    expect(kept.summaries("body")).toMatchObject([{ calendar_date: "2026-05-20", ...truth.body?.[0] }]);
  });
});

test("an unscored record is not stored", async () => {
  const night = world.provider.person("ada").day(Date.UTC(2026, 4, 21) / DAY_MS).sleep;
  const fresh = await connectProvider("whoop_v2");
  await fresh.connect();
  await fresh.skip(night.endMs + 60_000 - fresh.clock.now());
  const asked = { startMs: night.startMs, endMs: night.endMs };
  expect((await fresh.pull("sleep", asked)).summaries("sleep")).toEqual([]);
  await fresh.skip(30 * 60_000);
  expect((await fresh.pull("sleep", asked)).summaries("sleep")).toHaveLength(1);
});

test("the connector pages to the end despite repeated records", async () => {
  world.provider.setSwitches({ duplicates: true });
  const kept = await world.pull("sleep", window);
  world.provider.setSwitches({ duplicates: false });
  expect(kept.summaries("sleep")).toHaveLength((await world.pull("sleep", window)).summaries("sleep").length);
});

test("a late revision replaces the earlier record", async () => {
  const scoreOf = (kept: StoredRecords) =>
    compareWithExpected(kept.summaries("sleep"), truth.sleep?.slice(-1), "calendar_date").found[0]?.score;
  const before = Number(scoreOf(await world.pull("sleep", window)));
  world.provider.setSwitches({ revision: 1 });
  expect(scoreOf(await world.pull("sleep", window))).toBe(before + 1);
  world.provider.setSwitches({ revision: 0 });
});

test("a sleep without a recovery is stored alone", async () => {
  const fresh = await connectProvider("whoop_v2");
  await fresh.connect("ada", ["read:recovery"]);
  const { found } = compareWithExpected(
    (await fresh.pull("sleep", window)).summaries("sleep"),
    truth.sleep,
    "calendar_date",
  );
  expect(found[0]).toMatchObject({ total: truth.sleep?.[0]?.total, recovery_readiness_score: null });
});

describe("WHOOP access", () => {
  test("is refreshed once per refresh token until it ends", async () => {
    const before = world.refreshes();
    for (const _ of [1, 2, 3]) {
      world.provider.tokens.expireAccessTokens();
      await world.pull("workouts", window);
    }
    expect(world.refreshes()).toBe(before + 3);
  });

  test("waits for the provider's retry time", async () => {
    world.provider.setSwitches({ rate_limited: 1 });
    const error = await world.pull("workouts", window).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error.retryAtMs - world.clock.now()).toBeLessThanOrEqual(60_000);
  });

  test("ends after revocation", async () => {
    const fresh = await connectProvider("whoop_v2");
    await fresh.connect("eve");
    const { revocation } = fresh.connector.oauth;
    if (revocation?.kind === "own") await revocation.revoke(fresh.client, { app: oauthApp });
    await expect(fresh.pull("workouts", window)).rejects.toThrow(AccessEnded);
  });
});

describe("a WHOOP push", () => {
  beforeAll(() => subscribeToPushes(world, ""));

  test("names the sleep or workout that the connector pulls", async () => {
    const [pushed] = await capturePushes(world, { kind: "sleep", date: "2026-05-18", change: "update" });
    const id = whoopRecordId("ada", "sleep", "2026-05-18");
    const changed = { resource: "sleep", id };
    expect(pushed).toMatchObject({ isProven: true, parsed: [{ accountId: await world.connect(), changed }] });
    const kept = (await world.pullOne("sleep", id)).summaries("sleep");
    expect(
      compareWithExpected(
        kept,
        truth.sleep?.filter((one) => one.calendar_date === "2026-05-18"),
        "calendar_date",
      ).found,
    ).toMatchObject([{ calendar_date: "2026-05-18", provider_id: id }]);
    const [recovered] = await capturePushes(world, { kind: "recovery", date: "2026-05-18", change: "update" });
    expect(recovered?.parsed).toEqual(pushed?.parsed);
  });

  test("is rejected when altered, signed with another secret, or too old", async () => {
    const [pushed] = await capturePushes(world, { kind: "workout", date: "2026-05-18", change: "create" });
    const { push } = world.connector;
    const { request } = pushed!;
    const now = world.clock.now();
    expect(push?.verify({ ...request, body: request.body.replace("workout", "sleep") }, oauthApp, now)).toBe(false);
    expect(push?.verify(request, { ...oauthApp, clientSecret: "another" }, now)).toBe(false);
    expect(push?.verify({ ...request, headers: {} }, oauthApp, now)).toBe(false);
    expect(push?.verify(request, oauthApp, now + 2 * DAY_MS)).toBe(false);
    expect(push?.verify(request, oauthApp, now + 90_000)).toBe(true);
  });

  test("of a deletion changes nothing", async () => {
    const [pushed] = await capturePushes(world, { kind: "workout", date: "2026-05-18", change: "delete" });
    expect(pushed?.parsed).toEqual([]);
  });
});
