import { describe, expect, test } from "vitest";
import { activity } from "../../../lib/domain/summaries/activity.ts";
import type { DayTotal } from "../../../lib/domain/summaries/day-totals.ts";
import {
  type ActivityInput,
  activityInputs,
  deriveDailyActivity,
  inputsToRead,
} from "../../../lib/domain/summaries/derive-daily-activity.ts";

const total = (...values: number[]): DayTotal => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  min: Math.min(...values),
  max: Math.max(...values),
});
/** Totals of all resources. Resources without a given total have no samples. */
const totals = (named: Partial<Record<ActivityInput, DayTotal>>) =>
  new Map(activityInputs.map((input) => [input, named[input]]));

describe("the derived activity of a day", () => {
  test("sums its samples, with the lowest, mean and highest heart rate", () => {
    const { key, providerId, fields } = deriveDailyActivity(
      "2026-03-29",
      totals({
        steps: total(1_000, 2_345),
        distance: total(700.1, 0.2),
        calories_active: total(120.25),
        calories_basal: total(800, 700.5),
        floors_climbed: total(3, 4),
        wheelchair_push: total(12),
        heartrate: total(60, 61, 90),
      }),
    );
    expect([key, providerId]).toEqual(["2026-03-29", null]);
    expect(fields).toEqual({
      ...activity.ingest.parse({ calendar_date: "2026-03-29" }),
      date: "2026-03-29T00:00:00+00:00",
      steps: 3_345,
      distance: 700.3,
      calories_active: 120.25,
      calories_total: 1_620.75,
      floors_climbed: 7,
      wheelchair_push: 12,
      heart_rate: { avg_bpm: 70.3, min_bpm: 60, max_bpm: 90, resting_bpm: null, avg_walking_bpm: null },
    });
  });

  test("has total energy only when active and basal energy are known", () => {
    const energy = (named: Parameters<typeof totals>[0]) => deriveDailyActivity("2026-03-29", totals(named)).fields;
    expect(energy({ calories_active: total(5) })).toMatchObject({ calories_active: 5, calories_total: null });
    expect(energy({ calories_basal: total(5) })).toMatchObject({ calories_active: null, calories_total: null });
  });

  test("rounds the sum of steps, not each sample", () => {
    const steps = total(...Array.from({ length: 4 }, () => 0.4));
    expect(deriveDailyActivity("2026-03-29", totals({ steps })).fields.steps).toBe(2);
  });

  test("omits impossible totals", () => {
    const { fields } = deriveDailyActivity("2026-03-29", totals({ steps: total(500_001), distance: total(5) }));
    expect(fields).toMatchObject({ steps: null, distance: 5 });
  });

  test("keeps fields that were not read again and drops fields without samples", () => {
    const before = deriveDailyActivity(
      "2026-03-29",
      totals({ steps: total(10), distance: total(7), heartrate: total(60) }),
    );
    const read = new Map<ActivityInput, DayTotal | undefined>([
      ["steps", total(11)],
      ["heartrate", undefined],
    ]);
    const { fields } = deriveDailyActivity("2026-03-29", read, before.fields);
    expect(fields).toEqual({ ...before.fields, steps: 11, heart_rate: null });
  });
});

test.each<[ActivityInput, ActivityInput[]]>([
  ["steps", ["steps"]],
  ["heartrate", ["heartrate"]],
  ["calories_active", ["calories_active", "calories_basal"]],
  ["calories_basal", ["calories_active", "calories_basal"]],
])("a change of %s requires %j to be read again", (changed, read) => {
  expect([...inputsToRead(new Set([changed]))]).toEqual(read);
});
