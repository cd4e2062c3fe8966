import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedGlucoseSamples,
  expectedHypnogram,
  expectedIntervalSamples,
  expectedNightSamples,
  expectedPointSamples,
  expectedSleep,
  expectedWorkoutFields,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson, SyntheticReading } from "../synthetic-data/synthetic-person.ts";

/** Expected records of watch, scale and sensor. */
export function expectedGoogleRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over, workouts } = selectAvailableData(days, nowMs);
  const morning = (measure: (day: SyntheticDay) => number) =>
    expectedPointSamples(
      days
        .map((day) => ({ atMs: person.zone.instantAt(day.day, 450), value: measure(day) }))
        .filter(({ atMs }) => atMs <= nowMs),
    );
  const soFar = (readings: readonly SyntheticReading[]) => readings.filter(({ atMs }) => atMs <= nowMs);
  return {
    activity: over.map((day) => ({
      ...pickFields(expectedActivity(day), "calendar_date", "steps", "distance", "calories_active", "floors_climbed"),
      heart_rate: { resting_bpm: day.restingBpm },
    })),
    steps: expectedIntervalSamples(days.flatMap((day) => person.steps(day)).filter(({ endMs }) => endMs <= nowMs)),
    heartrate: expectedPointSamples(soFar(days.flatMap((day) => person.heartRate(day)))),
    hrv: nights.flatMap(({ sleep }) => expectedNightSamples(sleep, sleep.hrvMs)),
    blood_oxygen: morning(({ oxygenPercent }) => oxygenPercent),
    body_weight: morning(({ weightG }) => weightG / 1000),
    body_fat: morning(({ fatPercent }) => fatPercent),
    glucose: expectedGlucoseSamples(soFar(days.flatMap((day) => person.glucose(day)))),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    sleep: nights.map((day) => ({
      ...omitFields(expectedSleep(day.sleep, day), ...unavailableSleepFields),
      provider_id: `users/me/dataTypes/sleep/dataPoints/sleep-${day.date}`,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...expectedWorkoutFields(workout, ...workoutFields),
      provider_id: `users/me/dataTypes/exercise/dataPoints/exercise-${day.date}`,
    })),
  };
}

/** Sleep fields that Google does not report. */
const unavailableSleepFields = ["score", "hr_lowest", "hr_average", "average_hrv", "respiratory_rate", "efficiency"];
const workoutFields = ["average_hr", "moving_time", "average_speed", "total_elevation_gain"];
