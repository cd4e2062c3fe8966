import { selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type SleepStage, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { garminUserId, summaryId } from "./garmin-expected-records.ts";

/** Builds the summaries of one type from completed data. */
export type SummaryBuilder = (
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
) => readonly object[];

const activityTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], string>> = {
  running: "RUNNING",
  cycling: "CYCLING",
  walking: "WALKING",
  strength_training: "STRENGTH_TRAINING",
};

const stressLevels = (day: SyntheticDay) => ({ "0": day.stressPercent, "180": -1, "360": -2 });

/** Summary builders by the summary type of pushes. */
export const summaryBuilders: Readonly<Record<string, SummaryBuilder>> = {
  dailies: (plan, days, nowMs) => selectAvailableData(days, nowMs).over.map((day) => toDaily(plan, day)),
  epochs: (plan, days, nowMs) => selectAvailableData(days, nowMs).over.flatMap((day) => toEpochs(plan, day)),
  sleeps: (plan, days, nowMs) => selectAvailableData(days, nowMs).nights.map((day) => toSleep(plan, day)),
  bodyComps: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).over.map((day) => ({
      ...summaryHead(plan, "body", day),
      ...measurementTime(plan, day),
      weightInGrams: day.weightG,
      bodyFatInPercent: day.fatPercent,
    })),
  stressDetails: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).over.map((day) => ({
      ...summaryHead(plan, "stress", day),
      ...summaryTimes(day.startMs, day.offsetS, (day.endMs - day.startMs) / 1000),
      calendarDate: day.date,
      // Negative numbers mean no reading.
      timeOffsetStressLevelValues: stressLevels(day),
    })),
  bloodPressures: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).over.map((day) => ({
      ...summaryHead(plan, "pressure", day),
      ...measurementTime(plan, day),
      systolic: day.systolic,
      diastolic: day.diastolic,
      pulse: day.restingBpm,
      sourceType: "DEVICE",
    })),
  userMetrics: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).over.map((day) => ({
      ...summaryHead(plan, "metrics", day),
      calendarDate: day.date,
      vo2Max: day.vo2Max,
    })),
  activities: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).workouts.map(({ day, workout }) => toActivity(plan, day, workout)),
  activityDetails: (plan, days, nowMs) =>
    selectAvailableData(days, nowMs).workouts.map(({ day, workout }) => ({
      ...summaryHead(plan, "activity", day),
      activityId: day.day,
      summary: toActivity(plan, day, workout),
      samples: toSamples(workout),
    })),
};

function summaryHead(plan: SyntheticPerson, kind: string, day: SyntheticDay) {
  return { userId: garminUserId(plan.account), summaryId: summaryId(plan, kind, day) };
}

/** The time of a measurement, 7:30 local time. */
function measurementTime(plan: SyntheticPerson, day: SyntheticDay) {
  return {
    measurementTimeInSeconds: plan.zone.instantAt(day.day, 450) / 1000,
    measurementTimeOffsetInSeconds: day.offsetS,
  };
}

function summaryTimes(startMs: number, offsetS: number, durationS: number) {
  return { startTimeInSeconds: startMs / 1000, startTimeOffsetInSeconds: offsetS, durationInSeconds: durationS };
}

function toDaily(plan: SyntheticPerson, day: SyntheticDay) {
  const beats = plan.heartRate(day);
  const bpm = beats.map(({ value }) => value);
  return {
    ...summaryHead(plan, "daily", day),
    calendarDate: day.date,
    ...summaryTimes(day.startMs, day.offsetS, (day.endMs - day.startMs) / 1000),
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
    averageHeartRateInBeatsPerMinute: Math.round(mean(bpm)) + 7,
    restingHeartRateInBeatsPerMinute: day.restingBpm,
    averageStressLevel: day.stressPercent,
    timeOffsetHeartRateSamples: Object.fromEntries(
      beats.map(({ atMs, value }) => [String((atMs - day.startMs) / 1000), value]),
    ),
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One epoch per quarter hour and activity type; each carries the duration of the whole quarter hour. */
function toEpochs(plan: SyntheticPerson, day: SyntheticDay) {
  return plan.steps(day).flatMap(({ startMs, endMs, value }) => {
    const seconds = (endMs - startMs) / 1000;
    const ran = Math.floor(value / 3);
    const ofType = (activityType: string, activeTimeInSeconds: number, steps: number, intensity: string) => ({
      userId: garminUserId(plan.account),
      summaryId: `${summaryId(plan, "epoch", day)}-${startMs / 1000}-${activityType}`,
      ...summaryTimes(startMs, plan.zone.offsetS(startMs), seconds),
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
function toSleep(plan: SyntheticPerson, day: SyntheticDay) {
  const { sleep } = day;
  const awake = secondsInStage(sleep, "awake");
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const levels = (wanted: SleepStage) =>
    sleep.stages
      .filter(({ stage }) => stage === wanted)
      .map(({ startMs, endMs }) => ({ startTimeInSeconds: startMs / 1000, endTimeInSeconds: endMs / 1000 }));
  return {
    ...summaryHead(plan, "sleep", day),
    calendarDate: day.date,
    ...summaryTimes(sleep.startMs, sleep.offsetS, inBed - awake),
    unmeasurableSleepInSeconds: 0,
    deepSleepDurationInSeconds: secondsInStage(sleep, "deep"),
    lightSleepDurationInSeconds: secondsInStage(sleep, "light"),
    remSleepInSeconds: secondsInStage(sleep, "rem"),
    awakeDurationInSeconds: awake,
    sleepLevelsMap: { deep: levels("deep"), light: levels("light"), rem: levels("rem"), awake: levels("awake") },
    validation: "ENHANCED_FINAL",
    overallSleepScore: { value: sleep.score, qualifierKey: "GOOD" },
  };
}

function toActivity(plan: SyntheticPerson, day: SyntheticDay, workout: SyntheticWorkout) {
  const { averageBpm, maxBpm, distanceM, elevationGainM, seconds } = summarizeWorkout(workout);
  const moved = {
    distanceInMeters: distanceM,
    averageSpeedInMetersPerSecond: workout.sport.metresPerSecond,
    maxSpeedInMetersPerSecond: workout.sport.metresPerSecond,
    totalElevationGainInMeters: elevationGainM,
  };
  return {
    ...summaryHead(plan, "activity", day),
    activityId: day.day,
    activityName: workout.sport.name,
    activityType: activityTypes[workout.sport.slug],
    ...summaryTimes(workout.startMs, workout.offsetS, seconds),
    activeKilocalories: workout.kcal,
    averageHeartRateInBeatsPerMinute: averageBpm,
    maxHeartRateInBeatsPerMinute: maxBpm,
    deviceName: "Forerunner 965",
    ...(distanceM > 0 ? moved : {}),
  };
}

function toSamples({ points, sport }: SyntheticWorkout) {
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
