import { formatLocalTime } from "../base/local-time.ts";
import { stableUuid } from "../base/stable-ids.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  roundedMean,
  SAMPLE_INTERVAL_MS,
  type SleepStage,
  type SyntheticSleep,
  secondsInStage,
} from "../synthetic-data/synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";

/** A document of a collection. */
type OuraDocument = Readonly<Record<string, unknown>> & { readonly id: string; readonly day: string };

/** A collection: its scope, and its available documents of a day. */
export interface OuraCollection {
  readonly scope: string;
  listDocuments(person: SyntheticPerson, day: SyntheticDay, nowMs: number): readonly OuraDocument[];
}

const phases: Readonly<Record<SleepStage, string>> = { deep: "1", light: "2", rem: "3", awake: "4" };

const activities: Readonly<Record<SyntheticWorkout["sport"]["slug"], string>> = {
  running: "running",
  cycling: "cycling",
  walking: "walking",
  strength_training: "strengthTraining",
};

/** The provider's user id of an account. */
export function ouraUserId(account: string): string {
  return `oura-${account}`;
}

/** The stable id of a document. */
export function documentId(plan: SyntheticPerson, collection: string, day: SyntheticDay): string {
  return stableUuid(`oura ${plan.account} ${collection} ${day.date}`);
}

/** Documents that are available after the night. */
const nightDocument =
  (make: (plan: SyntheticPerson, day: SyntheticDay) => OuraDocument) =>
  (plan: SyntheticPerson, day: SyntheticDay, nowMs: number) =>
    day.sleep.endMs <= nowMs ? [make(plan, day)] : [];
/** Documents that are available after the day. */
const dayDocument =
  (make: (plan: SyntheticPerson, day: SyntheticDay) => OuraDocument) =>
  (plan: SyntheticPerson, day: SyntheticDay, nowMs: number) =>
    day.endMs <= nowMs ? [make(plan, day)] : [];

/** The collections below /v2/usercollection/ that list documents by date. */
export const ouraCollections: Readonly<Record<string, OuraCollection>> = {
  sleep: { scope: "daily", listDocuments: nightDocument(sleepDocument) },
  daily_sleep: { scope: "daily", listDocuments: nightDocument(dailySleep) },
  daily_readiness: { scope: "daily", listDocuments: nightDocument(dailyReadiness) },
  daily_activity: { scope: "daily", listDocuments: dayDocument(dailyActivity) },
  daily_spo2: { scope: "spo2", listDocuments: nightDocument(dailyOxygen) },
  vO2_max: { scope: "heart_health", listDocuments: dayDocument(vo2Max) },
  workout: {
    scope: "workout",
    listDocuments: (plan, day, nowMs) =>
      day.workout && day.workout.endMs <= nowMs ? [workoutDocument(plan, day, day.workout)] : [],
  },
};

function sleepDocument(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const { sleep } = day;
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const awake = secondsInStage(sleep, "awake");
  const begin = formatLocalTime(sleep.startMs, plan.zone.offsetS(sleep.startMs));
  return {
    id: documentId(plan, "sleep", day),
    average_breath: sleep.breathsPerMinute,
    average_heart_rate: roundedMean(sleep.bpm),
    average_hrv: roundedMean(sleep.hrvMs),
    awake_time: awake,
    bedtime_end: formatLocalTime(sleep.endMs, sleep.offsetS),
    bedtime_start: begin,
    day: day.date,
    deep_sleep_duration: secondsInStage(sleep, "deep"),
    efficiency: Math.round((100 * (inBed - awake)) / inBed),
    heart_rate: { interval: SAMPLE_INTERVAL_MS / 1000, items: sleep.bpm, timestamp: begin },
    hrv: { interval: SAMPLE_INTERVAL_MS / 1000, items: sleep.hrvMs, timestamp: begin },
    latency: sleep.latencyS,
    light_sleep_duration: secondsInStage(sleep, "light"),
    low_battery_alert: false,
    lowest_heart_rate: Math.min(...sleep.bpm),
    movement_30_sec: "1".repeat(inBed / 30),
    period: 0,
    readiness: toReadiness(day),
    readiness_score_delta: 0,
    rem_sleep_duration: secondsInStage(sleep, "rem"),
    restless_periods: 0,
    sleep_algorithm_version: "v2",
    sleep_analysis_reason: "foreground_sleep_analysis",
    sleep_phase_30_sec: formatPhases(sleep, 30),
    sleep_phase_5_min: formatPhases(sleep, 300),
    sleep_score_delta: 0,
    time_in_bed: inBed,
    total_sleep_duration: inBed - awake,
    type: "long_sleep",
  };
}

function formatPhases({ stages }: SyntheticSleep, seconds: number): string {
  return stages.map(({ stage, startMs, endMs }) => phases[stage].repeat((endMs - startMs) / 1000 / seconds)).join("");
}

function toReadiness(day: SyntheticDay) {
  return {
    contributors: { body_temperature: 90, hrv_balance: 80, previous_night: day.sleep.score, resting_heart_rate: 85 },
    score: day.readiness,
    temperature_deviation: day.temperatureDelta,
    temperature_trend_deviation: 0,
  };
}

function dailySleep(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const contributors = { deep_sleep: 80, efficiency: 85, latency: 75, rem_sleep: 80, restfulness: 70, timing: 90 };
  return {
    id: documentId(plan, "daily_sleep", day),
    contributors: { ...contributors, total_sleep: 82 },
    day: day.date,
    score: day.sleep.score,
    timestamp: formatLocalTime(day.startMs, day.offsetS),
  };
}

function dailyReadiness(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const id = documentId(plan, "daily_readiness", day);
  return { id, ...toReadiness(day), day: day.date, timestamp: formatLocalTime(day.startMs, day.offsetS) };
}

function dailyActivity(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const seconds = { low: day.lowMinutes * 60, medium: day.mediumMinutes * 60, high: day.highMinutes * 60 };
  // Oura's activity day starts at 4:00.
  const timestamp = formatLocalTime(
    plan.zone.instantAt(day.day, 240),
    plan.zone.offsetS(plan.zone.instantAt(day.day, 240)),
  );
  return {
    id: documentId(plan, "daily_activity", day),
    class_5_min: "1".repeat(288),
    score: 80,
    active_calories: day.activeKcal,
    average_met_minutes: 1.5,
    contributors: { meet_daily_targets: 80, move_every_hour: 90, recovery_time: 95, stay_active: 75 },
    equivalent_walking_distance: day.distanceM,
    high_activity_met_minutes: 8 * day.highMinutes,
    high_activity_time: seconds.high,
    inactivity_alerts: 0,
    low_activity_met_minutes: 2 * day.lowMinutes,
    low_activity_time: seconds.low,
    medium_activity_met_minutes: 4 * day.mediumMinutes,
    medium_activity_time: seconds.medium,
    met: { interval: 60, items: [], timestamp },
    meters_to_target: 0,
    non_wear_time: 0,
    resting_time: 28_800,
    sedentary_met_minutes: 10,
    sedentary_time: 86_400 - 28_800 - seconds.low - seconds.medium - seconds.high,
    steps: day.steps,
    target_calories: 400,
    target_meters: 8_000,
    total_calories: day.activeKcal + day.basalKcal,
    day: day.date,
    timestamp,
  };
}

function dailyOxygen(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const id = documentId(plan, "daily_spo2", day);
  return { id, breathing_disturbance_index: 2, day: day.date, spo2_percentage: { average: day.oxygenPercent } };
}

function vo2Max(plan: SyntheticPerson, day: SyntheticDay): OuraDocument {
  const timestamp = formatLocalTime(day.startMs, day.offsetS);
  return { id: documentId(plan, "vO2_max", day), day: day.date, timestamp, vo2_max: day.vo2Max };
}

function workoutDocument(plan: SyntheticPerson, day: SyntheticDay, workout: SyntheticWorkout): OuraDocument {
  const { distanceM } = summarizeWorkout(workout);
  return {
    id: documentId(plan, "workout", day),
    activity: activities[workout.sport.slug],
    calories: workout.kcal,
    day: day.date,
    distance: distanceM > 0 ? distanceM : null,
    end_datetime: formatLocalTime(workout.endMs, workout.offsetS),
    intensity: "moderate",
    label: null,
    source: "confirmed",
    start_datetime: formatLocalTime(workout.startMs, workout.offsetS),
  };
}
