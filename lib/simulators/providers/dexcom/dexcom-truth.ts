import { formatInstant } from "../../../domain/timeseries/instant.ts";
import { HOUR_MS, MINUTE_MS } from "../../demo/zone-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import type { Truth } from "../plan/unified-truth.ts";

/** Readings are told an hour late. */
export const DELAY_MS = HOUR_MS;
/** mg/dL of 1 mmol/L of glucose. */
const MG_DL = 18.0156;

/** What somebody noted at noon. */
export interface NotedMeal {
  readonly atMs: number;
  readonly grams: number;
  readonly units: number;
}

/** Carbohydrates and insulin of a day. */
export function mealOf(plan: PersonPlan, day: PlannedDay): NotedMeal {
  return { atMs: plan.zone.instant(day.day, 720), grams: 30 + (day.steps % 50), units: 2 + (day.floors % 5) };
}

/** What the sensor knows of some days. */
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
