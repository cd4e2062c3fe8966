import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import { formatInstant } from "../../../domain/shared/instant.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { type ExpectedRecords, expectedPointSamples } from "../synthetic-data/expected-records.ts";
import { mealOfDay } from "../synthetic-data/synthetic-meal.ts";
import type { SyntheticDay, SyntheticPerson, SyntheticReading } from "../synthetic-data/synthetic-person.ts";

/** The provider's conversion factor: it stores mg/dL divided by 18.01559. */
const MG_DL_PER_MMOL_L = 18.01559;
/** The pump delivers the insulin of a meal this long after it. */
export const BOLUS_DELAY_MS = 5 * MINUTE_MS;

/** The provider's user id of an account. */
export const tidepoolUserId = (account: string): string => stableUuid(`tidepool ${account}`);

/** Converts a reading in mg/dL as the provider stores it. */
export const toMillimoles = (milligrams: number): number => milligrams / MG_DL_PER_MMOL_L;

/** The sensor's readings of a day. */
const readingsUntil = (person: SyntheticPerson, day: SyntheticDay, nowMs: number): SyntheticReading[] =>
  person.glucose(day).filter(({ atMs }) => atMs <= nowMs);

/** Expected records of sensor, pump and food. */
export function expectedDiabetesData(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const readings = days.flatMap((day) => readingsUntil(person, day, nowMs));
  const meals = days.map((day) => mealOfDay(person, day)).filter(({ atMs }) => atMs + BOLUS_DELAY_MS <= nowMs);
  return {
    glucose: expectedPointSamples(readings.map(({ atMs, value }) => ({ atMs, value: toMillimoles(value) }))),
    carbohydrates: meals.map(({ atMs, grams }) => ({ start: formatInstant(atMs), value: grams })),
    insulin_injection: meals.map(({ atMs, units }) => ({
      start: formatInstant(atMs + BOLUS_DELAY_MS),
      value: units,
      type: "rapid_acting",
    })),
  };
}
