import { createHash } from "node:crypto";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedNightSamples,
  expectedPointSamples,
  expectedSleep,
  expectedWorkoutFields,
  expectedWorkoutStream,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** The provider's key of the workout of a day. */
export const workoutKey = (person: SyntheticPerson, day: SyntheticDay): string =>
  createHash("sha256").update(`suunto ${person.account} workout ${day.date}`).digest("hex").slice(0, 24);

/** The provider's id of the night that ends on a day. */
export const sleepId = (day: SyntheticDay): number => day.sleep.startMs / 1000;

/** Expected records of the watch. */
export function expectedSuuntoRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  const beats = days.flatMap((day) => person.heartRate(day)).filter(({ atMs }) => atMs <= nowMs);
  return {
    activity: over.map((day) => pickFields(expectedActivity(day), "calendar_date", "steps")),
    sleep: nights.map((day) => omitFields(expectedSleep(day.sleep, day), "efficiency", "respiratory_rate")),
    heartrate: expectedPointSamples(beats),
    hrv: nights.flatMap(({ sleep }) => expectedNightSamples(sleep, sleep.hrvMs)),
    blood_oxygen: expectedPointSamples(
      nights.map(({ sleep, oxygenPercent }) => ({ atMs: sleep.endMs, value: oxygenPercent })),
    ),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, ...workoutFields),
      provider_id: workoutKey(person, day),
    })),
    workout_stream: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutStream(workout),
      provider_id: workoutKey(person, day),
    })),
  };
}

const workoutFields = [
  "average_hr",
  "max_hr",
  "moving_time",
  "average_speed",
  "max_speed",
  "total_elevation_gain",
  "elev_high",
  "elev_low",
];
