import { DAY_MS, dateOf } from "../../demo/zone-days.ts";
import type { PersonPlan, PlannedDay, PlannedReading } from "./person-plan.ts";
import type { PlannedWorkout } from "./planned-workout.ts";

/** A day with what was recorded of its workout. */
export interface DayWithWorkout {
  readonly day: PlannedDay;
  readonly workout: PlannedWorkout;
}

/** Of some days, what a provider can know at an instant: nights, days and workouts that are over. */
export function knownOf(days: readonly PlannedDay[], nowMs: number) {
  return {
    nights: days.filter(({ sleep }) => sleep.endMs <= nowMs),
    over: days.filter(({ endMs }) => endMs <= nowMs),
    /** Days that have begun: somebody was on the scale in their morning. */
    begun: days.filter(({ startMs }) => startMs <= nowMs),
    workouts: days.flatMap((day): DayWithWorkout[] => {
      return day.workout && day.workout.endMs <= nowMs ? [{ day, workout: day.workout }] : [];
    }),
  };
}

/** The days of a person from one to another, both included, counted from 1970-01-01. */
export function plannedDays(plan: PersonPlan, first: number, last: number): PlannedDay[] {
  const noon = DAY_MS / 2;
  return plan.days(first * DAY_MS + noon, last * DAY_MS + noon);
}

/** Days since 1970-01-01 of a date, the time after it left aside; undefined for what is no date. */
export function dayNumber(text: string | null): number | undefined {
  const date = text?.slice(0, 10) ?? "";
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) || dateOf(ms / DAY_MS) !== date ? undefined : ms / DAY_MS;
}

/** Readings from an instant to before another one. */
export function within(readings: readonly PlannedReading[], fromMs: number, untilMs: number): PlannedReading[] {
  return readings.filter(({ atMs }) => fromMs <= atMs && atMs < untilMs);
}
