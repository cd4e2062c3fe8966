import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { type Stage, secondsIn } from "../plan/planned-sleep.ts";
import { type PlannedWorkout, totalsOf } from "../plan/planned-workout.ts";
import { garminUserId, summaryId } from "./garmin-truth.ts";

/** Builds the summaries of one type from completed data. */
export type SummaryMaker = (plan: PersonPlan, days: readonly PlannedDay[], nowMs: number) => readonly object[];

const activityTypes: Readonly<Record<PlannedWorkout["sport"]["slug"], string>> = {
  running: "RUNNING",
  cycling: "CYCLING",
  walking: "WALKING",
  strength_training: "STRENGTH_TRAINING",
};

const stressOf3Minutes = (day: PlannedDay) => ({ "0": day.stressPercent, "180": -1, "360": -2 });

/** Summary builders by the summary type of pushes. */
export const summaryMakers: Readonly<Record<string, SummaryMaker>> = {
  dailies: (plan, days, nowMs) => knownOf(days, nowMs).over.map((day) => dailyOf(plan, day)),
  epochs: (plan, days, nowMs) => knownOf(days, nowMs).over.flatMap((day) => epochsOf(plan, day)),
  sleeps: (plan, days, nowMs) => knownOf(days, nowMs).nights.map((day) => sleepOf(plan, day)),
  bodyComps: (plan, days, nowMs) =>
    knownOf(days, nowMs).over.map((day) => ({
      ...headOf(plan, "body", day),
      measurementTimeInSeconds: plan.zone.instant(day.day, 450) / 1000,
      measurementTimeOffsetInSeconds: day.offsetS,
      weightInGrams: day.weightG,
      bodyFatInPercent: day.fatPercent,
    })),
  stressDetails: (plan, days, nowMs) =>
    knownOf(days, nowMs).over.map((day) => ({
      ...headOf(plan, "stress", day),
      ...timesOf(day.startMs, day.offsetS, (day.endMs - day.startMs) / 1000),
      calendarDate: day.date,
      // Negative numbers mean no reading.
      timeOffsetStressLevelValues: stressOf3Minutes(day),
    })),
  bloodPressures: (plan, days, nowMs) =>
    knownOf(days, nowMs).over.map((day) => ({
      ...headOf(plan, "pressure", day),
      measurementTimeInSeconds: plan.zone.instant(day.day, 450) / 1000,
      measurementTimeOffsetInSeconds: day.offsetS,
      systolic: day.systolic,
      diastolic: day.diastolic,
      pulse: day.restingBpm,
      sourceType: "DEVICE",
    })),
  userMetrics: (plan, days, nowMs) =>
    knownOf(days, nowMs).over.map((day) => ({
      ...headOf(plan, "metrics", day),
      calendarDate: day.date,
      vo2Max: day.vo2Max,
    })),
  activities: (plan, days, nowMs) =>
    knownOf(days, nowMs).workouts.map(({ day, workout }) => activityOf(plan, day, workout)),
  activityDetails: (plan, days, nowMs) =>
    knownOf(days, nowMs).workouts.map(({ day, workout }) => ({
      ...headOf(plan, "activity", day),
      activityId: day.day,
      summary: activityOf(plan, day, workout),
      samples: samplesOf(workout),
    })),
};

function headOf(plan: PersonPlan, kind: string, day: PlannedDay) {
  return { userId: garminUserId(plan.account), summaryId: summaryId(plan, kind, day) };
}

function timesOf(startMs: number, offsetS: number, durationS: number) {
  return { startTimeInSeconds: startMs / 1000, startTimeOffsetInSeconds: offsetS, durationInSeconds: durationS };
}

function dailyOf(plan: PersonPlan, day: PlannedDay) {
  const beats = plan.heartRate(day);
  const bpm = beats.map(({ value }) => value);
  return {
    ...headOf(plan, "daily", day),
    calendarDate: day.date,
    ...timesOf(day.startMs, day.offsetS, (day.endMs - day.startMs) / 1000),
    activityType: "WALKING",
    steps: day.steps,
    distanceInMeters: day.distanceM,
    activeKilocalories: day.activeKcal,
    bmrKilocalories: day.basalKcal,
    floorsClimbed: day.floors,
    moderateIntensityDurationInSeconds: 60 * day.mediumMinutes,
    vigorousIntensityDurationInSeconds: 60 * day.highMinutes,
    minHeartRateInBeatsPerMinute: Math.min(...bpm),
    maxHeartRateInBeatsPerMinute: Math.max(...bpm),
    // The mean of the last 7 days (Health API, Daily Summaries), so it differs from the mean of the day.
    averageHeartRateInBeatsPerMinute: Math.round(meanOf(bpm)) + 7,
    restingHeartRateInBeatsPerMinute: day.restingBpm,
    averageStressLevel: day.stressPercent,
    timeOffsetHeartRateSamples: Object.fromEntries(
      beats.map(({ atMs, value }) => [String((atMs - day.startMs) / 1000), value]),
    ),
  };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One epoch per quarter hour and activity type; each carries the duration of the whole quarter hour. */
function epochsOf(plan: PersonPlan, day: PlannedDay) {
  return plan.steps(day).flatMap(({ startMs, endMs, value }) => {
    const seconds = (endMs - startMs) / 1000;
    const ran = Math.floor(value / 3);
    const ofType = (activityType: string, activeTimeInSeconds: number, steps: number, intensity: string) => ({
      userId: garminUserId(plan.account),
      summaryId: `${summaryId(plan, "epoch", day)}-${startMs / 1000}-${activityType}`,
      ...timesOf(startMs, plan.zone.offsetS(startMs), seconds),
      ...{ activityType, activeTimeInSeconds, steps, intensity },
    });
    return [
      ofType("RUNNING", seconds / 3, ran, "HIGHLY_ACTIVE"),
      ofType("WALKING", seconds / 3, value - ran, "ACTIVE"),
      ofType("SEDENTARY", seconds / 3, 0, "SEDENTARY"),
    ];
  });
}

/** Garmin's duration excludes the time awake, which shifts the end of the night. */
function sleepOf(plan: PersonPlan, day: PlannedDay) {
  const { sleep } = day;
  const awake = secondsIn(sleep, "awake");
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const levels = (wanted: Stage) =>
    sleep.stages
      .filter(({ stage }) => stage === wanted)
      .map(({ startMs, endMs }) => ({ startTimeInSeconds: startMs / 1000, endTimeInSeconds: endMs / 1000 }));
  return {
    ...headOf(plan, "sleep", day),
    calendarDate: day.date,
    ...timesOf(sleep.startMs, sleep.offsetS, inBed - awake),
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: secondsIn(sleep, "deep"),
    lightSleepDurationInSeconds: secondsIn(sleep, "light"),
    remSleepInSeconds: secondsIn(sleep, "rem"),
    awakeDurationInSeconds: awake,
    sleepLevelsMap: { deep: levels("deep"), light: levels("light"), rem: levels("rem"), awake: levels("awake") },
    validation: "ENHANCED_FINAL",
    overallSleepScore: { value: sleep.score, qualifierKey: "GOOD" },
  };
}

function activityOf(plan: PersonPlan, day: PlannedDay, workout: PlannedWorkout) {
  const { averageBpm, maxBpm, distanceM, elevationGainM, seconds } = totalsOf(workout);
  const moved = {
    distanceInMeters: distanceM,
    averageSpeedInMetersPerSecond: workout.sport.metresPerSecond,
    maxSpeedInMetersPerSecond: workout.sport.metresPerSecond,
    totalElevationGainInMeters: elevationGainM,
  };
  return {
    ...headOf(plan, "activity", day),
    activityId: day.day,
    activityName: workout.sport.name,
    activityType: activityTypes[workout.sport.slug],
    ...timesOf(workout.startMs, workout.offsetS, seconds),
    activeKilocalories: workout.kcal,
    averageHeartRateInBeatsPerMinute: averageBpm,
    maxHeartRateInBeatsPerMinute: maxBpm,
    deviceName: "Forerunner 965",
    ...(distanceM > 0 ? moved : {}),
  };
}

function samplesOf({ points, sport }: PlannedWorkout) {
  const isMoving = sport.metresPerSecond > 0;
  return points.map((point) => ({
    startTimeInSeconds: point.atMs / 1000,
    heartRate: point.bpm,
    ...(isMoving
      ? {
          latitudeInDegree: point.latitude,
          longitudeInDegree: point.longitude,
          elevationInMeters: point.altitudeM,
          speedMetersPerSecond: sport.metresPerSecond,
          totalDistanceInMeters: point.distanceM,
          ...(sport.slug === "cycling" ? { bikeCadenceInRPM: point.cadence } : { stepsPerMinute: point.cadence }),
        }
      : {}),
    ...(sport.hasPower ? { powerInWatts: point.watts } : {}),
  }));
}
