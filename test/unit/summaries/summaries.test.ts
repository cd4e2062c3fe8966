import { JunctionClient } from "@junction-api/sdk";
import { describe, expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/sources/source.ts";
import { type AcceptedSummary, toWireSummary } from "../../../lib/domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../../../lib/domain/summaries/summary-kinds.ts";
import { type SummaryName, summaryNames } from "../../../lib/domain/summaries/summary-names.ts";
import { ingestionBounds } from "../../../lib/domain/timeseries/acceptance.ts";

const context = { receivedAt: Date.UTC(2026, 0, 10), bounds: ingestionBounds("2026-01-01", null) };
const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");
const frame = {
  id: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0",
  user_id: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11",
  created_at: "2026-01-02T09:00:00+00:00",
  updated_at: "2026-01-03T09:00:00+00:00",
};

const accept = (name: SummaryName, raw: unknown) => findSummaryKind(name)!.accept(raw, context);

function acceptWell(name: SummaryName, raw: unknown): AcceptedSummary {
  const result = accept(name, raw);
  if ("reason" in result) throw new Error(result.reason);
  return result.ok;
}

const night = { bedtime_start: "2026-01-02T23:30:00+01:00", bedtime_stop: "2026-01-03T07:00:00+01:00" };
const run = { provider_id: "w1", time_start: "2026-01-02T23:30:00-05:00", time_end: "2026-01-03T00:10:00-05:00" };
/** The least that a sender must give, by kind. */
const least: Readonly<Partial<Record<SummaryName, object>>> = {
  activity: { calendar_date: "2026-01-02" },
  body: { calendar_date: "2026-01-02" },
  profile: {},
  sleep: night,
  workouts: run,
};

describe.each(Object.entries(least) as [SummaryName, object][])("%s", (name, given) => {
  const wire = toWireSummary(acceptWell(name, given).fields, frame, source);
  const { listKey } = summaryNames.find((naming) => naming.name === name)!;

  test("is answered with every field of its schema, those not given as null or default", () => {
    const kind = findSummaryKind(name)!;
    expect(kind.wire.strict().parse(wire)).toEqual(wire);
    expect(Object.keys(wire).sort()).toEqual(Object.keys(kind.wire.shape).sort());
  });

  test("is read by the public client", async () => {
    const client = new JunctionClient({
      apiKey: "sk_us_test",
      baseUrl: "http://localhost",
      fetch: () => Promise.resolve(Response.json(listKey === null ? wire : { [listKey]: [wire] })),
    });
    const resource: unknown = Reflect.get(client, name);
    if (typeof resource !== "object" || resource === null) throw new Error(`the client has no ${name}`);
    const get: unknown = Reflect.get(resource, "get");
    if (typeof get !== "function") throw new Error(`the client has no ${name}.get`);
    const answer: unknown = await Reflect.apply(get, resource, [frame.user_id, { startDate: "2026-01-01" }]);
    const parsed = { id: frame.id, source: { provider: "oura" }, updatedAt: new Date(frame.updated_at) };
    expect(answer).toMatchObject(listKey === null ? parsed : { [listKey]: [parsed] });
  });

  test("refuses a field of the wrong kind", () => {
    const wrong = { activity: "steps", body: "weight", profile: "height", sleep: "score", workouts: "steps" }[
      String(name)
    ];
    expect(accept(name, { ...given, [wrong!]: "many" })).toEqual({ reason: "bad_field" });
    expect(accept(name, { ...given, [wrong!]: -1 })).toEqual({ reason: "value_out_of_range" });
  });

  test.each([null, "text", []])("refuses %j", (raw) => {
    expect(accept(name, raw)).toHaveProperty("reason");
  });
});

describe("an activity", () => {
  test("is known by its day and keeps what is given", () => {
    const { key, fields } = acceptWell("activity", {
      calendar_date: "2026-01-02",
      steps: 9_000,
      heart_rate: { avg_bpm: 71.5 },
    });
    expect(key).toBe("2026-01-02");
    expect(fields).toMatchObject({
      date: "2026-01-02T00:00:00+00:00",
      steps: 9_000,
      heart_rate: { avg_bpm: 71.5, min_bpm: null },
    });
  });

  test.each(["2026-02-29", "02.01.2026", "2026-01-02T00:00:00Z", undefined])("refuses the day %s", (calendar_date) => {
    expect(accept("activity", { calendar_date })).toEqual({ reason: "bad_time" });
  });

  test("refuses days ahead and days before the user's ingestion start", () => {
    expect(accept("activity", { calendar_date: "2026-01-12" })).toEqual({ reason: "in_the_future" });
    expect(accept("activity", { calendar_date: "2025-12-30" })).toEqual({ reason: "out_of_bounds" });
    expect(accept("activity", { calendar_date: "2025-12-31" })).toHaveProperty("ok");
  });
});

describe("a sleep", () => {
  test("is known by its begin in UTC, however that was written", () => {
    expect(acceptWell("sleep", night).key).toBe("2026-01-02T22:30:00+00:00");
    expect(acceptWell("sleep", { ...night, bedtime_start: "2026-01-02T22:30:00Z" }).key).toBe(
      "2026-01-02T22:30:00+00:00",
    );
  });

  test("derives day, offset, length, sleep time and type from its times", () => {
    expect(acceptWell("sleep", { ...night, awake: 1_800 }).fields).toMatchObject({
      calendar_date: "2026-01-03",
      timezone_offset: 3_600,
      duration: 27_000,
      total: 25_200,
      type: "long_sleep",
    });
  });

  test("takes the sum of the stages as sleep time and calls less than 3 hours short", () => {
    const stages = { light: 5_000, rem: 2_000, deep: 3_799 };
    expect(acceptWell("sleep", { ...night, ...stages }).fields).toMatchObject({ total: 10_799, type: "short_sleep" });
    expect(acceptWell("sleep", { ...night, ...stages, total: 10_800 }).fields).toMatchObject({ type: "long_sleep" });
  });

  test("keeps what the sender says over what could be derived", () => {
    const said = { calendar_date: "2026-01-02", type: "siesta", duration: 60, timezone_offset: 0 };
    expect(acceptWell("sleep", { ...night, ...said }).fields).toMatchObject(said);
  });

  test("keeps the provider's id for its stream and does not answer it", () => {
    const { providerId, fields } = acceptWell("sleep", { ...night, provider_id: "s1" });
    expect(providerId).toBe("s1");
    expect(fields).not.toHaveProperty("provider_id");
  });

  test("must last, and no part of it can be negative", () => {
    expect(accept("sleep", { ...night, bedtime_stop: night.bedtime_start })).toEqual({ reason: "end_before_start" });
    expect(accept("sleep", { ...night, bedtime_stop: "2026-01-02T20:00:00+01:00" })).toEqual({
      reason: "end_before_start",
    });
    expect(accept("sleep", { ...night, deep: -1 })).toEqual({ reason: "value_out_of_range" });
    expect(accept("sleep", { ...night, bedtime_start: "2026-01-02T23:30:00" })).toEqual({ reason: "bad_time" });
    expect(accept("sleep", { ...night, bedtime_start: "1600-01-02T23:30:00Z" })).toEqual({ reason: "bad_time" });
  });
});

describe("a workout", () => {
  test("is known by the provider's id and lies on the day of its begin where the user was", () => {
    const { key, providerId, fields } = acceptWell("workouts", { ...run, sport: { name: "Running", slug: "running" } });
    expect([key, providerId]).toEqual(["w1", "w1"]);
    expect(fields).toMatchObject({
      calendar_date: "2026-01-02",
      time_start: "2026-01-03T04:30:00+00:00",
      timezone_offset: -18_000,
      sport: { id: 0, name: "Running", slug: "running" },
    });
  });

  test("needs an id and six heart rate zones", () => {
    expect(accept("workouts", { ...run, provider_id: undefined })).toEqual({ reason: "bad_field" });
    expect(accept("workouts", { ...run, hr_zones: [1, 2, 3, 4, 5, 6] })).toHaveProperty("ok");
    expect(accept("workouts", { ...run, hr_zones: [1, 2, 3, 4, 5, -6] })).toEqual({ reason: "value_out_of_range" });
  });
});

test("a body summary is known by its day, a profile is the only one of its source", () => {
  expect(acceptWell("body", { calendar_date: "2026-01-02", weight: 70.5 }).key).toBe("2026-01-02");
  expect(acceptWell("profile", { height: 170, birth_date: "1990-05-01", sex: "female" }).key).toBe("profile");
});

test("summaries that cannot be taken in yet are known by name only", () => {
  const missing = summaryNames.filter(({ name }) => findSummaryKind(name) === undefined).map(({ name }) => name);
  expect(missing).toEqual(["meal", "menstrual_cycle", "electrocardiogram", "sleep_cycle", "devices"]);
});
