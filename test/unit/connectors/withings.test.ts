import { beforeAll, describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
import { toMeasures } from "../../../lib/connectors/withings/map-measures.ts";
import { toHttpStatus } from "../../../lib/connectors/withings/protocol.ts";
import { capturePushes, subscribeToPushes } from "./captured-pushes.ts";
import {
  compareWithExpected,
  connectProvider,
  expectedSamples,
  oauthApp,
  type StoredRecords,
  storedSamples,
} from "./connected-provider.ts";

type World = Awaited<ReturnType<typeof connectProvider>>;
let world: World;
let truth: ReturnType<World["provider"]["expectedRecords"]>;
const from = Date.UTC(2026, 3, 20, 12);
const until = Date.UTC(2026, 4, 19, 12);
const window = { startMs: Date.UTC(2026, 3, 19, 12), endMs: Date.UTC(2026, 4, 20, 12) };
const always = { startMs: 0, endMs: Number.POSITIVE_INFINITY };
const week = { startMs: Date.UTC(2026, 4, 12), endMs: window.endMs };
beforeAll(async () => {
  world = await connectProvider("withings");
  await world.connect();
  truth = world.provider.expectedRecords("ada", from, until);
});

/** The stored samples of the expected days. */
const within = (kept: StoredRecords, name: string) => {
  const right = expectedSamples(truth[name]);
  const [first, last] = [Number(right[0]?.[0]), Number(right.at(-1)?.[0])];
  return storedSamples(kept.samples(name).filter(({ start }) => Number(start) >= first && Number(start) <= last));
};

describe("Withings data of 30 days", () => {
  test.each([
    ["activity", "calendar_date"],
    ["body", "calendar_date"],
    ["sleep", "calendar_date"],
    ["workouts", "provider_id"],
  ])("contains the measured %s in the service's units", async (name, key) => {
    const { found, right } = compareWithExpected((await world.pull(name, window)).summaries(name), truth[name], key);
    expect(right.length).toBeGreaterThan(3);
    // The service derives the sleep type when it stores the record.
    expect(found).toEqual(right);
  });

  test("contains measures as samples too, in kg and percent", async () => {
    const kept = await world.pull("body", window);
    for (const name of ["body_weight", "body_fat", "blood_oxygen"])
      expect([name, within(kept, name)]).toEqual([name, expectedSamples(truth[name])]);
    const pressures = kept.samples("blood_pressure").map(({ start, fields }) => ({ start, ...(fields as object) }));
    for (const { timestamp, systolic, diastolic } of truth.blood_pressure ?? [])
      expect(pressures).toContainEqual({ start: Date.parse(String(timestamp)), systolic, diastolic });
    expect(kept.summaries("profile")).toMatchObject(truth.profile ?? []);
  });

  test("contains the stages, heart rates and variabilities of nights, also as a stream of each night", async () => {
    const kept = await world.pull("sleep", window);
    for (const name of ["heartrate", "hrv"]) expect(within(kept, name)).toEqual(expectedSamples(truth[name]));
    const stages = (truth.sleep ?? []).flatMap(({ provider_id }) => {
      const stream = kept.stream("sleep_stream", String(provider_id));
      return (stream?.hypnogram ?? []) as Record<string, unknown>[];
    });
    expect(expectedSamples(stages)).toEqual(expectedSamples(truth.hypnogram));
    expect(kept.summaries("sleep_cycle").length).toBe(kept.summaries("sleep").length);
  });
});

test("a number keeps its exact decimal value", () => {
  const measures = [
    { type: 1, value: 72_345, unit: -3 },
    { type: 76, value: 36_1725, unit: -4 },
  ];
  const [batch] = toMeasures([{ date: 1_779_000_000, measures }], "UTC", always);
  expect(batch?.source_type).toBe("scale");
  expect(batch?.resources.body).toMatchObject([{ weight: 72.345, muscle_mass_percentage: 50 }]);
});

test("goals and ambiguous measures are not stored as the user's measures", () => {
  const measures = [{ type: 1, value: 70, unit: 0 }];
  const groups = [
    { date: 1, measures, category: 2 },
    { date: 2, measures, attrib: 1 },
  ];
  expect(toMeasures(groups, "UTC", always)).toEqual([]);
});

test("a late revision replaces the earlier record, and a repeated record counts once", async () => {
  const [last] = truth.activity?.slice(-1) ?? [];
  world.provider.setSwitches({ revision: 1, duplicates: true });
  const kept = await world.pull("activity", week);
  const nights = await world.pull("sleep", { ...week, startMs: week.endMs - 86_400_000 });
  world.provider.setSwitches({ revision: 0, duplicates: false });
  const { found } = compareWithExpected(kept.summaries("activity"), [last!], "calendar_date");
  expect(found[0]?.steps).toBe(Number(last?.steps) + 100);
  for (const { stage_start_offset_second: starts } of nights.summaries("sleep_cycle"))
    expect(new Set(starts as number[]).size).toBe((starts as number[]).length);
});

describe("Withings access", () => {
  test("is refreshed once per refresh token, although errors arrive with HTTP 200", async () => {
    const before = world.refreshes();
    for (const _ of [1, 2, 3]) {
      world.provider.tokens.expireAccessTokens();
      await world.pull("activity", week);
    }
    expect(world.refreshes()).toBe(before + 3);
  });

  test("waits after too many requests", async () => {
    world.provider.setSwitches({ rate_limited: 1 });
    await expect(world.pull("activity", week)).rejects.toThrow(RateLimited);
  });

  test("ends once the user revokes it", async () => {
    const fresh = await connectProvider("withings");
    await fresh.connect("eve");
    fresh.provider.tokens.revoke("eve");
    await expect(fresh.pull("activity", week)).rejects.toThrow(AccessEnded);
  });

  test("is revoked by a signed request", async () => {
    const fresh = await connectProvider("withings");
    const accountId = await fresh.connect("eve");
    const { revocation } = fresh.connector.oauth;
    if (revocation?.kind === "own") await revocation.revoke(fresh.client, { app: oauthApp, accountId });
    await expect(fresh.pull("activity", week)).rejects.toThrow(AccessEnded);
  });

  test.each([
    [0, 200],
    [401, 401],
    [601, 429],
    [403, 403],
    [503, 400],
    [522, 503],
    ["nothing", 503],
  ])("a body with %s means HTTP %i", (status, meant) => {
    expect(toHttpStatus({ status, body: {} })).toBe(meant);
  });
});

describe("a Withings push", () => {
  const key = derivePushKey(oauthApp, "withings");

  test("arrives for the user's subscriptions and names the data that the connector pulls", async () => {
    const accountId = await world.connect();
    for (const kind of ["44", "16"]) subscribeToPushes(world, `${accountId} ${kind}`, `?key=${key}`);
    const [slept] = await capturePushes(world, { kind: "44", date: "2026-05-18", change: "update" });
    expect(slept).toMatchObject({ isProven: true, parsed: [{ accountId, changed: { resource: "sleep" } }] });
    const [moved] = await capturePushes(world, { kind: "16", date: "2026-05-18", change: "update" });
    expect(moved?.parsed.map(({ changed }) => changed)).toMatchObject(
      ["activity", "workouts"].map((resource) => ({
        resource,
        window: { startMs: Date.UTC(2026, 4, 18), endMs: Date.UTC(2026, 4, 19) },
      })),
    );
    const { changed } = slept?.parsed[0] ?? {};
    if (!changed || !("window" in changed)) throw new Error("no window");
    const kept = (await world.pull("sleep", changed.window)).summaries("sleep");
    expect(kept.map(({ calendar_date }) => calendar_date)).toContain("2026-05-18");
  });

  test("is rejected without the key in the URL, because Withings does not sign pushes", async () => {
    const [pushed] = await capturePushes(world, { kind: "44", date: "2026-05-18", change: "update" });
    const { push } = world.connector;
    const query = new URLSearchParams({ key: `${key}x` });
    expect(push?.verify({ ...pushed!.request, query }, oauthApp, 0)).toBe(false);
    expect(push?.verify({ ...pushed!.request, query: new URLSearchParams() }, oauthApp, 0)).toBe(false);
  });

  test("of data that the service does not store changes nothing", async () => {
    const body = "userid=1&startdate=1&enddate=2&appli=50";
    expect(world.connector.push?.parse({ method: "POST", headers: {}, query: new URLSearchParams(), body })).toEqual(
      [],
    );
  });
});
