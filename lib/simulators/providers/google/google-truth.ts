import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import {
  activityTruth,
  hypnogramTruth,
  nightTruth,
  only,
  pointTruth,
  sleepTruth,
  spanTruth,
  type Truth,
  without,
  workoutTruth,
} from "../plan/unified-truth.ts";

/** Conversion factor for glucose: 1 mmol/L is 18.0156 mg/dL. */
const MG_DL = 18.0156;

/** Expected records of watch, scale and sensor. */
export function googleTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over, workouts } = knownOf(days, nowMs);
  const morning = (measure: (day: PlannedDay) => number) =>
    pointTruth(
      days
        .map((day) => ({ atMs: plan.zone.instant(day.day, 450), value: measure(day) }))
        .filter(({ atMs }) => atMs <= nowMs),
    );
  const sampled = (readings: readonly { atMs: number; value: number }[]) =>
    pointTruth(readings.filter(({ atMs }) => atMs <= nowMs));
  return {
    activity: over.map((day) => ({
      ...only(activityTruth(day), "calendar_date", "steps", "distance", "calories_active", "floors_climbed"),
      heart_rate: { resting_bpm: day.restingBpm },
    })),
    steps: spanTruth(days.flatMap((day) => plan.steps(day)).filter(({ endMs }) => endMs <= nowMs)),
    heartrate: sampled(days.flatMap((day) => plan.heartRate(day))),
    hrv: nights.flatMap(({ sleep }) => nightTruth(sleep, sleep.hrvMs)),
    blood_oxygen: morning(({ oxygenPercent }) => oxygenPercent),
    body_weight: morning(({ weightG }) => weightG / 1000),
    body_fat: morning(({ fatPercent }) => fatPercent),
    glucose: sampled(
      days.flatMap((day) => plan.glucose(day)).map(({ atMs, value }) => ({ atMs, value: value / MG_DL })),
    ),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    sleep: nights.map((day) => ({
      ...without(sleepTruth(day.sleep, day), ...notTold),
      provider_id: `users/me/dataTypes/sleep/dataPoints/sleep-${day.date}`,
    })),
    workouts: workouts.map(({ day, workout }) => ({
      ...only(workoutTruth(workout), ...workoutFields),
      provider_id: `users/me/dataTypes/exercise/dataPoints/exercise-${day.date}`,
    })),
  };
}

/** Sleep fields that Google does not report. */
const notTold = ["score", "hr_lowest", "hr_average", "average_hrv", "respiratory_rate", "efficiency"];
const workoutFields = [
  "time_start",
  "time_end",
  "timezone_offset",
  "sport",
  "calories",
  "distance",
  "average_hr",
  "moving_time",
  "average_speed",
  "total_elevation_gain",
];
