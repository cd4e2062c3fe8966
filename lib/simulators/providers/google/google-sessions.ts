import type { DayWithWorkout } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { type Stage, secondsIn } from "../plan/planned-sleep.ts";
import { type PlannedWorkout, totalsOf } from "../plan/planned-workout.ts";
import { type GooglePoint, interval, iso } from "./google-shapes.ts";

const stageTypes: Readonly<Record<Stage, string>> = { awake: "AWAKE", light: "LIGHT", deep: "DEEP", rem: "REM" };
const exerciseTypes: Readonly<Record<PlannedWorkout["sport"]["slug"], string>> = {
  running: "RUNNING",
  cycling: "BIKING",
  walking: "WALKING",
  strength_training: "STRENGTH_TRAINING",
};
/** Converts a date to Google's format with year, month and day. */
export function civilDate(date: string) {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return { year, month, day };
}

/** The data point of a night with its stages. */
export function sleepPoint(plan: PersonPlan, { sleep, date }: PlannedDay): GooglePoint {
  const minutes = (stage: Stage) => secondsIn(sleep, stage) / 60;
  const inBed = (sleep.endMs - sleep.startMs) / 60_000;
  const value = {
    interval: interval(plan, sleep.startMs, sleep.endMs),
    type: "STAGES",
    stages: sleep.stages.map(({ stage, startMs, endMs }) => ({
      startTime: iso(startMs),
      startUtcOffset: `${plan.zone.offsetS(startMs)}s`,
      endTime: iso(endMs),
      endUtcOffset: `${plan.zone.offsetS(endMs)}s`,
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
export function exercisePoint(plan: PersonPlan, { day, workout }: DayWithWorkout): GooglePoint {
  const { averageBpm, distanceM, elevationGainM, seconds } = totalsOf(workout);
  const moved = {
    distanceMillimeters: distanceM * 1_000,
    averageSpeedMillimetersPerSecond: workout.sport.metresPerSecond * 1_000,
    elevationGainMillimeters: elevationGainM * 1_000,
  };
  const value = {
    interval: interval(plan, workout.startMs, workout.endMs),
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
