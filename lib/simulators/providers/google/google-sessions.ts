import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type SleepStage, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { formatIsoSeconds, type GooglePoint, toGoogleInterval } from "./google-data-type.ts";

const stageTypes: Readonly<Record<SleepStage, string>> = { awake: "AWAKE", light: "LIGHT", deep: "DEEP", rem: "REM" };
const exerciseTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], string>> = {
  running: "RUNNING",
  cycling: "BIKING",
  walking: "WALKING",
  strength_training: "STRENGTH_TRAINING",
};
/** Converts a date to Google's format with year, month and day. */
export function toCivilDate(date: string) {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return { year, month, day };
}

/** The data point of a night with its stages. */
export function toSleepPoint(person: SyntheticPerson, { sleep, date }: SyntheticDay): GooglePoint {
  const minutes = (stage: SleepStage) => secondsInStage(sleep, stage) / 60;
  const inBed = (sleep.endMs - sleep.startMs) / 60_000;
  const value = {
    interval: toGoogleInterval(person, sleep.startMs, sleep.endMs),
    type: "STAGES",
    stages: sleep.stages.map(({ stage, startMs, endMs }) => ({
      startTime: formatIsoSeconds(startMs),
      startUtcOffset: `${person.zone.offsetS(startMs)}s`,
      endTime: formatIsoSeconds(endMs),
      endUtcOffset: `${person.zone.offsetS(endMs)}s`,
      type: stageTypes[stage],
    })),
    metadata: { stagesStatus: "SUCCEEDED", processed: true, nap: false, manuallyEdited: false },
    summary: {
      minutesInSleepPeriod: String(inBed),
      minutesAfterWakeUp: "0",
      minutesToFallAsleep: String(sleep.latencyS / 60),
      minutesAsleep: String(inBed - minutes("awake")),
      minutesAwake: String(minutes("awake")),
      stagesSummary: (["awake", "light", "deep", "rem"] as const).map((stage) => ({
        type: stageTypes[stage],
        minutes: String(minutes(stage)),
        count: String(sleep.stages.filter((one) => one.stage === stage).length),
      })),
    },
  };
  return { id: `sleep-${date}`, startMs: sleep.startMs, endMs: sleep.endMs, value };
}

/** The data point of a workout with its totals. */
export function toExercisePoint(plan: SyntheticPerson, { day, workout }: DayWithWorkout): GooglePoint {
  const { averageBpm, distanceM, elevationGainM, seconds } = summarizeWorkout(workout);
  const moved = {
    distanceMillimeters: distanceM * 1_000,
    averageSpeedMillimetersPerSecond: workout.sport.metresPerSecond * 1_000,
    elevationGainMillimeters: elevationGainM * 1_000,
  };
  const value = {
    interval: toGoogleInterval(plan, workout.startMs, workout.endMs),
    exerciseType: exerciseTypes[workout.sport.slug],
    displayName: workout.sport.name,
    activeDuration: `${seconds}s`,
    metricsSummary: {
      caloriesKcal: workout.kcal,
      averageHeartRateBeatsPerMinute: String(averageBpm),
      ...(distanceM > 0 ? moved : {}),
    },
  };
  return { id: `exercise-${day.date}`, startMs: workout.startMs, endMs: workout.endMs, value };
}
