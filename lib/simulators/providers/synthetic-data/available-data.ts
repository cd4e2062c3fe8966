import { DAY_MS } from "../../../domain/shared/durations.ts";
import { formatDay } from "../../demo/zone-calendar.ts";
import type { SyntheticDay, SyntheticPerson, SyntheticReading } from "./synthetic-person.ts";
import type { SyntheticWorkout } from "./synthetic-workout.ts";

/** A day with a workout. */
export interface DayWithWorkout {
  readonly day: SyntheticDay;
  readonly workout: SyntheticWorkout;
}

/** Selects the data of some days that is available at an instant: completed nights, days and workouts. */
export function selectAvailableData(days: readonly SyntheticDay[], nowMs: number) {
  return {
    nights: days.filter(({ sleep }) => sleep.endMs <= nowMs),
    over: days.filter(({ endMs }) => endMs <= nowMs),
    /** Days that have started; they have a morning measurement on the scale. */
    begun: days.filter(({ startMs }) => startMs <= nowMs),
    workouts: days.flatMap((day): DayWithWorkout[] => {
      return day.workout && day.workout.endMs <= nowMs ? [{ day, workout: day.workout }] : [];
    }),
  };
}

/** Lists the days from `first` to `last`, both included. Days count since 1970-01-01. */
export function listSyntheticDays(person: SyntheticPerson, first: number, last: number): SyntheticDay[] {
  const noon = DAY_MS / 2;
  return person.days(first * DAY_MS + noon, last * DAY_MS + noon);
}

/** Parses a date to days since 1970-01-01; ignores a time part. Undefined for an invalid date. */
export function parseDayNumber(text: string | null): number | undefined {
  const date = text?.slice(0, 10) ?? "";
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) || formatDay(ms / DAY_MS) !== date ? undefined : ms / DAY_MS;
}

/** Selects readings from `fromMs` (included) to `untilMs` (excluded). */
export function selectReadings(
  readings: readonly SyntheticReading[],
  fromMs: number,
  untilMs: number,
): SyntheticReading[] {
  return readings.filter(({ atMs }) => fromMs <= atMs && atMs < untilMs);
}
