import { beforeAll, describe, expect, test } from "vitest";
import { toCarbohydrates, toGlucose } from "../../../lib/connectors/dexcom/map-records.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { connectProvider, expectedSamples, storedSamples } from "./connected-provider.ts";

type World = Awaited<ReturnType<typeof connectProvider>>;
let world: World;
let truth: ReturnType<World["provider"]["expectedRecords"]>;
const window = { startMs: Date.UTC(2026, 3, 19, 22), endMs: Date.UTC(2026, 4, 20, 12) };
beforeAll(async () => {
  world = await connectProvider("dexcom_v3");
  await world.connect();
  truth = world.provider.expectedRecords("ada", Date.UTC(2026, 3, 20, 12), Date.UTC(2026, 4, 20, 10));
});

describe("Dexcom data of 30 days", () => {
  test("contains the measured glucose in mmol/L, except for the last hour", async () => {
    const right = expectedSamples(truth.glucose).filter(([start]) => Number(start) < world.clock.now() - 3_600_000);
    expect(right.length).toBeGreaterThan(8_000);
    expect(storedSamples((await world.pull("glucose", window)).samples("glucose"))).toEqual(right);
  });

  test("contains the logged carbohydrates and insulin", async () => {
    const kept = await world.pull("carbohydrates", window);
    expect(storedSamples(kept.samples("carbohydrates"))).toEqual(expectedSamples(truth.carbohydrates));
    expect(storedSamples(kept.samples("insulin_injection"))).toEqual(expectedSamples(truth.insulin_injection));
    expect(new Set(kept.samples("insulin_injection").map(({ type }) => type))).toEqual(new Set(["rapid_acting"]));
  });

  test("contains the transmitter", async () => {
    const kept = await world.pull("device", { startMs: 0, endMs: window.endMs });
    expect(kept.summaries("devices")).toMatchObject([{ device_manufacturer: "Dexcom", device_model: "G7" }]);
  });
});

describe("a Dexcom record", () => {
  test("is mapped in its stated unit, with the user's UTC offset", () => {
    const systemTime = "2026-05-18T10:00:00";
    const time = { timestamp: "2026-05-18T10:00:00.000Z" };
    expect(toGlucose({ systemTime, displayTime: "2026-05-18T12:00:07", value: 5.5, unit: "mmol/L" })).toEqual([
      { ...time, timezone_offset: 7_200, value: 5.5 },
    ]);
    expect(toGlucose({ systemTime: "2026-05-18T12:00:00+02:00", value: 180.156, unit: "mg/dL" })).toEqual([
      { ...time, timezone_offset: 7_200, value: 10 },
    ]);
  });

  test("is skipped when it has no value, an unknown unit or is deleted", () => {
    const systemTime = "2026-05-18T10:00:00Z";
    expect(toGlucose({ systemTime, value: null, unit: "mg/dL" })).toEqual([]);
    expect(toGlucose({ systemTime, value: 100, unit: "furlong" })).toEqual([]);
    expect(toGlucose({ systemTime, value: 30, unit: "unknown" })).toEqual([]);
    for (const unit of ["unknown", null]) {
      expect(toGlucose({ systemTime, value: 180.156, unit })).toMatchObject([{ value: 10 }]);
      expect(toGlucose({ systemTime, value: 5.5, unit })).toMatchObject([{ value: 5.5 }]);
    }
    const carbs = { systemTime, eventType: "carbs", value: "30" };
    expect(toCarbohydrates(carbs)).toMatchObject([{ value: 30 }]);
    expect(toCarbohydrates({ ...carbs, eventStatus: "deleted" })).toEqual([]);
    expect(toCarbohydrates({ ...carbs, value: "" })).toEqual([]);
  });
});

describe("Dexcom access", () => {
  test("is refreshed once per refresh token, by requests with the redirect URI", async () => {
    const before = world.refreshes();
    for (const _ of [1, 2, 3]) {
      world.provider.tokens.expireAccessTokens();
      await world.pull("device", { startMs: 0, endMs: 1 });
    }
    expect(world.refreshes()).toBe(before + 3);
    const asked = world.server.requests.filter(({ body }) => body.includes("grant_type=refresh_token"));
    expect(asked.every(({ body }) => new URLSearchParams(body).has("redirect_uri"))).toBe(true);
  });

  test("waits for the provider's retry time", async () => {
    world.provider.setSwitches({ rate_limited: 1 });
    const error = await world.pull("device", { startMs: 0, endMs: 1 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error.retryAtMs - world.clock.now()).toBe(3_600_000);
  });

  test("ends once the user revokes it", async () => {
    world.provider.tokens.revoke("ada");
    await expect(world.pull("glucose", window)).rejects.toThrow(AccessEnded);
  });
});
