import { knownOf } from "../plan/known-days.ts";
import { civilDate, exercisePoint, sleepPoint } from "./google-sessions.ts";
import {
  alongSteps,
  counted,
  type GoogleType,
  inTheMorning,
  measured,
  ofNight,
  samples,
  spans,
  summed,
} from "./google-shapes.ts";

const activity = { scope: "activity_and_fitness", member: "interval.start_time" } as const;
const health = { scope: "health_metrics_and_measurements", member: "sample_time.physical_time" } as const;

/** Data types by their names in paths. */
export const googleTypes: Readonly<Record<string, GoogleType>> = {
  steps: {
    ...activity,
    pointsOf: spans((plan, day) => plan.steps(day), counted("count")),
    rollUp: summed("count", "countSum"),
  },
  distance: {
    ...activity,
    pointsOf: spans(
      alongSteps(({ distanceM }) => distanceM),
      counted("millimeters", 1_000),
    ),
    rollUp: summed("millimeters", "millimetersSum"),
  },
  "active-energy-burned": {
    ...activity,
    pointsOf: spans(
      alongSteps(({ activeKcal }) => activeKcal),
      measured("kcal"),
    ),
    rollUp: summed("kcal", "kcalSum", false),
  },
  floors: {
    ...activity,
    pointsOf: spans(
      alongSteps(({ floors }) => floors),
      counted("count"),
    ),
    rollUp: summed("count", "countSum"),
  },
  "heart-rate": {
    ...health,
    pointsOf: samples((plan, day) => plan.heartRate(day), counted("beatsPerMinute")),
    rollUp: (points) => {
      const bpm = points.map(({ value }) => Number(Reflect.get(value, "beatsPerMinute")));
      const sum = bpm.reduce((all, one) => all + one, 0);
      return {
        beatsPerMinuteAvg: sum / bpm.length,
        beatsPerMinuteMin: Math.min(...bpm),
        beatsPerMinuteMax: Math.max(...bpm),
      };
    },
  },
  "heart-rate-variability": {
    ...health,
    pointsOf: samples(
      ofNight(({ hrvMs }) => hrvMs),
      measured("rootMeanSquareOfSuccessiveDifferencesMilliseconds"),
    ),
  },
  "oxygen-saturation": {
    ...health,
    pointsOf: samples(
      inTheMorning(({ oxygenPercent }) => oxygenPercent),
      measured("percentage"),
    ),
  },
  weight: {
    ...health,
    pointsOf: samples(
      inTheMorning(({ weightG }) => weightG),
      measured("weightGrams"),
    ),
  },
  "body-fat": {
    ...health,
    pointsOf: samples(
      inTheMorning(({ fatPercent }) => fatPercent),
      measured("percentage"),
    ),
  },
  "blood-glucose": {
    ...health,
    pointsOf: samples((plan, day) => plan.glucose(day), measured("bloodGlucoseMilligramsPerDeciliter")),
  },
  "daily-resting-heart-rate": {
    scope: "health_metrics_and_measurements",
    member: "date",
    pointsOf: (_, days, nowMs) =>
      knownOf(days, nowMs).over.map((day) => ({
        id: day.date,
        startMs: Date.parse(day.date),
        endMs: Date.parse(day.date),
        value: { date: civilDate(day.date), beatsPerMinute: String(day.restingBpm) },
      })),
  },
  sleep: {
    scope: "sleep",
    member: "interval.end_time",
    pointsOf: (plan, days, nowMs) => knownOf(days, nowMs).nights.map((day) => sleepPoint(plan, day)),
  },
  exercise: {
    ...activity,
    // Filters of exercise support this member only (Google's filter guide).
    member: "interval.civil_start_time",
    pointsOf: (plan, days, nowMs) => knownOf(days, nowMs).workouts.map((found) => exercisePoint(plan, found)),
  },
};
