import { describe, expect, test } from "vitest";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";

const night = { bedtime_start: "2026-01-02T23:30:00+01:00", bedtime_stop: "2026-01-03T07:00:00+01:00" };
const run = { provider_id: "w1", time_start: "2026-01-02T23:30:00-05:00", time_end: "2026-01-03T00:10:00-05:00" };

describe("an activity", () => {
  test("is identified by its day and keeps its fields", () => {
    const { key, fields } = acceptValidSummary("activity", {
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

  test.each(["2026-02-29", "02.01.2026", "2026-01-02T00:00:00Z", undefined])("rejects the day %s", (calendar_date) => {
    expect(acceptSummary("activity", { calendar_date })).toEqual({ reason: "bad_time", field: expect.any(String) });
  });

  test("rejects future days and days before the user's ingestion start", () => {
    expect(acceptSummary("activity", { calendar_date: "2026-01-12" })).toEqual({
      reason: "in_the_future",
      field: expect.any(String),
    });
    expect(acceptSummary("activity", { calendar_date: "2025-12-31" })).toEqual({
      reason: "out_of_bounds",
      field: expect.any(String),
    });
    expect(acceptSummary("activity", { calendar_date: "2026-01-01" })).toHaveProperty("ok");
  });
});

describe("a sleep", () => {
  test("is identified by its start in UTC, in any notation", () => {
    expect(acceptValidSummary("sleep", night).key).toBe("2026-01-02T22:30:00+00:00");
    expect(acceptValidSummary("sleep", { ...night, bedtime_start: "2026-01-02T22:30:00Z" }).key).toBe(
      "2026-01-02T22:30:00+00:00",
    );
  });

  test("derives day, offset, length, sleep time and type from its times", () => {
    expect(acceptValidSummary("sleep", { ...night, awake: 1_800 }).fields).toMatchObject({
      calendar_date: "2026-01-03",
      timezone_offset: 3_600,
      duration: 27_000,
      total: 25_200,
      type: "long_sleep",
    });
  });

  test.each([
    ["a flight", "2026-01-02T22:00:00-05:00", "2026-01-03T04:30:00+00:00", "2026-01-03", 0],
    ["a change of clocks", "2026-01-02T23:00:00+02:00", "2026-01-03T07:00:00+01:00", "2026-01-03", 3_600],
    [
      "a start alone that states the offset",
      "2026-01-02T22:00:00-05:00",
      "2026-01-03T04:30:00Z",
      "2026-01-02",
      -18_000,
    ],
  ])("has the day and the offset of its end after %s", (_, bedtime_start, bedtime_stop, calendar_date, offset) => {
    const { fields } = acceptValidSummary("sleep", { bedtime_start, bedtime_stop });
    expect(fields).toMatchObject({ calendar_date, timezone_offset: offset });
  });

  test("is within the bounds by the offset of its start", () => {
    const night = { bedtime_start: "2025-12-31T23:00:00-05:00", bedtime_stop: "2026-01-01T15:00:00+09:00" };
    expect(acceptSummary("sleep", night)).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
    const east = { bedtime_start: "2026-01-01T08:00:00+09:00", bedtime_stop: "2025-12-31T21:00:00-05:00" };
    expect(acceptSummary("sleep", east)).toHaveProperty("ok");
  });

  test("uses the sum of the stages as sleep time and classifies less than 3 hours as short", () => {
    const stages = { light: 5_000, rem: 2_000, deep: 3_799 };
    expect(acceptValidSummary("sleep", { ...night, ...stages }).fields).toMatchObject({
      total: 10_799,
      type: "short_sleep",
    });
    expect(acceptValidSummary("sleep", { ...night, ...stages, total: 10_800 }).fields).toMatchObject({
      type: "long_sleep",
    });
  });

  test("prefers the sender's values over derived values", () => {
    const said = { calendar_date: "2026-01-02", type: "acknowledged_nap", duration: 60, timezone_offset: 0 };
    expect(acceptValidSummary("sleep", { ...night, ...said }).fields).toMatchObject(said);
  });

  test("stores the provider's id for its stream and does not expose it", () => {
    const { providerId, fields } = acceptValidSummary("sleep", { ...night, provider_id: "s1" });
    expect(providerId).toBe("s1");
    expect(fields).not.toHaveProperty("provider_id");
  });

  test("must have a positive duration", () => {
    expect(acceptSummary("sleep", { ...night, bedtime_stop: night.bedtime_start })).toEqual({
      reason: "end_before_start",
      field: "bedtime_stop",
    });
    expect(acceptSummary("sleep", { ...night, bedtime_stop: "2026-01-02T20:00:00+01:00" })).toEqual({
      reason: "end_before_start",
      field: "bedtime_stop",
    });
    expect(acceptSummary("sleep", { ...night, bedtime_start: "2026-01-02T23:30:00" })).toEqual({
      reason: "bad_time",
      field: expect.any(String),
    });
    expect(acceptSummary("sleep", { ...night, bedtime_start: "1600-01-02T23:30:00Z" })).toEqual({
      reason: "bad_time",
      field: expect.any(String),
    });
  });

  test("lasts at most a week, and its calendar date is near it", () => {
    const week = { bedtime_start: "2026-01-02T12:00:00Z", bedtime_stop: "2026-01-09T12:00:00Z" };
    expect(acceptSummary("sleep", week)).toHaveProperty("ok");
    const longer = { ...week, bedtime_stop: "2026-01-09T12:00:01Z" };
    expect(acceptSummary("sleep", longer)).toEqual({ reason: "value_out_of_range", field: expect.any(String) });
    for (const calendar_date of ["2026-01-10", "2025-12-25"])
      expect(acceptSummary("sleep", { ...night, calendar_date })).toHaveProperty("ok");
    for (const calendar_date of ["2026-01-11", "2025-12-24", "1800-01-02"])
      expect(acceptSummary("sleep", { ...night, calendar_date })).toEqual({
        reason: "bad_time",
        field: expect.any(String),
      });
  });
});

describe("a time without an offset", () => {
  const [start, end] = ["2026-01-03T02:00:00Z", "2026-01-03T07:59:00Z"];
  const cases = [
    ["sleep", { bedtime_start: start, bedtime_stop: end }],
    ["workouts", { provider_id: "w1", time_start: start, time_end: end }],
    ["meal", { timestamp: start, name: "Soup" }],
  ] as const;

  test.each(cases)("puts a %s on the day in the user's fallback time zone, and states no offset", (name, given) => {
    const { fields } = acceptValidSummary(name, given, "America/Los_Angeles");
    expect(fields.calendar_date).toBe("2026-01-02");
    expect(fields.timezone_offset ?? null).toBeNull();
  });

  test.each(cases)("puts a %s on the given day, or on the day at the given offset", (name, given) => {
    const day = { ...given, calendar_date: "2026-01-04" };
    expect(acceptValidSummary(name, day, "America/Los_Angeles").fields.calendar_date).toBe("2026-01-04");
    const written = Object.entries(given).map(([field, value]) => [field, value.replace("Z", "+00:00")]);
    const { fields } = acceptValidSummary(name, Object.fromEntries(written), "America/Los_Angeles");
    expect(fields.calendar_date).toBe("2026-01-03");
  });

  test("has the offset of its own date in the zone, with daylight saving", () => {
    const summer = { timestamp: "2026-01-02T22:30:00Z", name: "Soup" };
    expect(acceptValidSummary("meal", summer, "Europe/Berlin").fields.calendar_date).toBe("2026-01-02");
    expect(acceptValidSummary("meal", summer, "Australia/Adelaide").fields.calendar_date).toBe("2026-01-03");
  });
});

describe("a workout", () => {
  test("is identified by the provider's id and belongs to the user's local day of its start", () => {
    const { key, providerId, fields } = acceptValidSummary("workouts", {
      ...run,
      sport: { name: "Running", slug: "running" },
    });
    expect([key, providerId]).toEqual(["w1", "w1"]);
    expect(fields).toMatchObject({
      calendar_date: "2026-01-02",
      time_start: "2026-01-03T04:30:00+00:00",
      timezone_offset: -18_000,
      sport: { id: 0, name: "Running", slug: "running" },
    });
  });

  test("needs an id", () => {
    expect(acceptSummary("workouts", { ...run, provider_id: undefined })).toEqual({
      reason: "bad_field",
      field: expect.any(String),
    });
    expect(acceptSummary("workouts", { ...run, provider_id: "x".repeat(257) })).toEqual({
      reason: "value_out_of_range",
      field: "provider_id",
    });
  });
});

test("a body summary is identified by its day, and a profile is unique per source", () => {
  expect(acceptValidSummary("body", { calendar_date: "2026-01-02", weight: 70.5 }).key).toBe("2026-01-02");
  expect(acceptValidSummary("profile", { height: 170, birth_date: "1990-05-01", sex: "female" }).key).toBe("profile");
});
