import { HOUR_MS, MINUTE_MS } from "../../../domain/shared/durations.ts";
import { formatInstant } from "../../../domain/shared/instant.ts";
import { type ExpectedRecords, expectedGlucoseSamples } from "../synthetic-data/expected-records.ts";
import { mealOfDay } from "../synthetic-data/synthetic-meal.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** Dexcom publishes readings with a delay of one hour. */
export const READING_DELAY_MS = HOUR_MS;

/** Expected records of the sensor. */
export function expectedDexcomRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const readings = days.flatMap((day) => plan.glucose(day)).filter(({ atMs }) => atMs <= nowMs - READING_DELAY_MS);
  const meals = days.map((day) => mealOfDay(plan, day)).filter(({ atMs }) => atMs <= nowMs - READING_DELAY_MS);
  return {
    glucose: expectedGlucoseSamples(readings),
    carbohydrates: meals.map(({ atMs, grams }) => ({ start: formatInstant(atMs), value: grams })),
    insulin_injection: meals.map(({ atMs, units }) => ({
      start: formatInstant(atMs + 5 * MINUTE_MS),
      value: units,
      type: "rapid_acting",
    })),
  };
}
