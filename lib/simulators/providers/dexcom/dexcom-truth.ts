import { formatInstant } from "../../../domain/timeseries/instant.ts";
import { HOUR_MS, MINUTE_MS } from "../../demo/zone-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import type { Truth } from "../plan/unified-truth.ts";

/** Dexcom publishes readings with a delay of one hour. */
export const DELAY_MS = HOUR_MS;
/** Conversion factor for glucose: 1 mmol/L is 18.0156 mg/dL. */
const MG_DL = 18.0156;

/** A meal that the user logged at noon: grams of carbohydrates, units of insulin. */
export interface NotedMeal {
  readonly atMs: number;
  readonly grams: number;
  readonly units: number;
}

/** The meal of a day. */
export function mealOf(plan: PersonPlan, day: PlannedDay): NotedMeal {
  return { atMs: plan.zone.instant(day.day, 720), grams: 30 + (day.steps % 50), units: 2 + (day.floors % 5) };
}

/** Expected records of the sensor. */
export function dexcomTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const readings = days.flatMap((day) => plan.glucose(day)).filter(({ atMs }) => atMs <= nowMs - DELAY_MS);
  const meals = days.map((day) => mealOf(plan, day)).filter(({ atMs }) => atMs <= nowMs - DELAY_MS);
  return {
    glucose: readings.map(({ atMs, value }) => ({ timestamp: formatInstant(atMs), value: value / MG_DL })),
    carbohydrates: meals.map(({ atMs, grams }) => ({ start: formatInstant(atMs), value: grams })),
    insulin_injection: meals.map(({ atMs, units }) => ({
      start: formatInstant(atMs + 5 * MINUTE_MS),
      value: units,
      type: "rapid_acting",
    })),
  };
}
