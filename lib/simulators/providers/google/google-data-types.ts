import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  distributeOverSteps,
  type GoogleDataType,
  integerField,
  intervalPoints,
  morningReading,
  nightReadings,
  numberField,
  samplePoints,
  sumField,
} from "./google-data-type.ts";
import { toCivilDate, toExercisePoint, toSleepPoint } from "./google-sessions.ts";

const activity = { scope: "activity_and_fitness", member: "interval.start_time" } as const;
const health = { scope: "health_metrics_and_measurements", member: "sample_time.physical_time" } as const;

/** Data types by their names in paths. */
export const googleDataTypes: Readonly<Record<string, GoogleDataType>> = {
  steps: {
    ...activity,
    listPoints: intervalPoints((plan, day) => plan.steps(day), integerField("count")),
    rollUp: sumField("count", "countSum"),
  },
  distance: {
    ...activity,
    listPoints: intervalPoints(
      distributeOverSteps(({ distanceM }) => distanceM),
      integerField("millimeters", 1_000),
    ),
    rollUp: sumField("millimeters", "millimetersSum"),
  },
  "active-energy-burned": {
    ...activity,
    listPoints: intervalPoints(
      distributeOverSteps(({ activeKcal }) => activeKcal),
      numberField("kcal"),
    ),
    rollUp: sumField("kcal", "kcalSum", false),
  },
  floors: {
    ...activity,
    listPoints: intervalPoints(
      distributeOverSteps(({ floors }) => floors),
      integerField("count"),
    ),
    rollUp: sumField("count", "countSum"),
  },
  "heart-rate": {
    ...health,
    listPoints: samplePoints((plan, day) => plan.heartRate(day), integerField("beatsPerMinute")),
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
    listPoints: samplePoints(
      nightReadings(({ hrvMs }) => hrvMs),
      numberField("rootMeanSquareOfSuccessiveDifferencesMilliseconds"),
    ),
  },
  "oxygen-saturation": {
    ...health,
    listPoints: samplePoints(
      morningReading(({ oxygenPercent }) => oxygenPercent),
      numberField("percentage"),
    ),
  },
  weight: {
    ...health,
    listPoints: samplePoints(
      morningReading(({ weightG }) => weightG),
      numberField("weightGrams"),
    ),
  },
  "body-fat": {
    ...health,
    listPoints: samplePoints(
      morningReading(({ fatPercent }) => fatPercent),
      numberField("percentage"),
    ),
  },
  "blood-glucose": {
    ...health,
    listPoints: samplePoints((plan, day) => plan.glucose(day), numberField("bloodGlucoseMilligramsPerDeciliter")),
  },
  "daily-resting-heart-rate": {
    scope: "health_metrics_and_measurements",
    member: "date",
    listPoints: (_, days, nowMs) =>
      selectAvailableData(days, nowMs).over.map((day) => ({
        id: day.date,
        startMs: Date.parse(day.date),
        endMs: Date.parse(day.date),
        value: { date: toCivilDate(day.date), beatsPerMinute: String(day.restingBpm) },
      })),
  },
  sleep: {
    scope: "sleep",
    member: "interval.end_time",
    listPoints: (plan, days, nowMs) => selectAvailableData(days, nowMs).nights.map((day) => toSleepPoint(plan, day)),
  },
  exercise: {
    ...activity,
    // Filters of exercise support this member only (Google's filter guide).
    member: "interval.civil_start_time",
    listPoints: (plan, days, nowMs) =>
      selectAvailableData(days, nowMs).workouts.map((found) => toExercisePoint(plan, found)),
  },
};
