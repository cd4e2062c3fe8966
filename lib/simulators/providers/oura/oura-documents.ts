import { localTime } from "../frame/local-time.ts";
import { stableUuid } from "../frame/stable-uuid.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { GRID_MS, meanOfNight, type PlannedSleep, type Stage, secondsIn } from "../plan/planned-sleep.ts";
import { type PlannedWorkout, totalsOf } from "../plan/planned-workout.ts";

/** A document of a collection. */
export type OuraDocument = Readonly<Record<string, unknown>> & { readonly id: string; readonly day: string };

/** A collection: its scope, and its available documents of a day. */
export interface OuraCollection {
  readonly scope: string;
  documentsOf(plan: PersonPlan, day: PlannedDay, nowMs: number): readonly OuraDocument[];
}

const phases: Readonly<Record<Stage, string>> = { deep: "1", light: "2", rem: "3", awake: "4" };

const activities: Readonly<Record<PlannedWorkout["sport"]["slug"], string>> = {
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
export function documentId(plan: PersonPlan, collection: string, day: PlannedDay): string {
  return stableUuid(`oura ${plan.account} ${collection} ${day.date}`);
}

/** Documents that are available after the night. */
const ofNight =
  (make: (plan: PersonPlan, day: PlannedDay) => OuraDocument) => (plan: PersonPlan, day: PlannedDay, nowMs: number) =>
    day.sleep.endMs <= nowMs ? [make(plan, day)] : [];
/** Documents that are available after the day. */
const ofDay =
  (make: (plan: PersonPlan, day: PlannedDay) => OuraDocument) => (plan: PersonPlan, day: PlannedDay, nowMs: number) =>
    day.endMs <= nowMs ? [make(plan, day)] : [];

/** The collections below /v2/usercollection/ that list documents by date. */
export const ouraCollections: Readonly<Record<string, OuraCollection>> = {
  sleep: { scope: "daily", documentsOf: ofNight(sleepDocument) },
  daily_sleep: { scope: "daily", documentsOf: ofNight(dailySleep) },
  daily_readiness: { scope: "daily", documentsOf: ofNight(dailyReadiness) },
  daily_activity: { scope: "daily", documentsOf: ofDay(dailyActivity) },
  daily_spo2: { scope: "spo2", documentsOf: ofNight(dailyOxygen) },
  vO2_max: { scope: "heart_health", documentsOf: ofDay(vo2Max) },
  workout: {
    scope: "workout",
    documentsOf: (plan, day, nowMs) =>
      day.workout && day.workout.endMs <= nowMs ? [workoutDocument(plan, day, day.workout)] : [],
  },
};

function sleepDocument(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const { sleep } = day;
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const awake = secondsIn(sleep, "awake");
  const begin = localTime(sleep.startMs, plan.zone.offsetS(sleep.startMs));
  return {
    id: documentId(plan, "sleep", day),
    average_breath: sleep.breathsPerMinute,
    average_heart_rate: meanOfNight(sleep.bpm),
    average_hrv: meanOfNight(sleep.hrvMs),
    awake_time: awake,
    bedtime_end: localTime(sleep.endMs, sleep.offsetS),
    bedtime_start: begin,
    day: day.date,
    deep_sleep_duration: secondsIn(sleep, "deep"),
    efficiency: Math.round((100 * (inBed - awake)) / inBed),
    heart_rate: { interval: GRID_MS / 1000, items: sleep.bpm, timestamp: begin },
    hrv: { interval: GRID_MS / 1000, items: sleep.hrvMs, timestamp: begin },
    latency: sleep.latencyS,
    light_sleep_duration: secondsIn(sleep, "light"),
    low_battery_alert: false,
    lowest_heart_rate: Math.min(...sleep.bpm),
    movement_30_sec: "1".repeat(inBed / 30),
    period: 0,
    readiness: readinessOf(day),
    readiness_score_delta: 0,
    rem_sleep_duration: secondsIn(sleep, "rem"),
    restless_periods: 0,
    sleep_algorithm_version: "v2",
    sleep_analysis_reason: "foreground_sleep_analysis",
    sleep_phase_30_sec: phasesOf(sleep, 30),
    sleep_phase_5_min: phasesOf(sleep, 300),
    sleep_score_delta: 0,
    time_in_bed: inBed,
    total_sleep_duration: inBed - awake,
    type: "long_sleep",
  };
}

function phasesOf({ stages }: PlannedSleep, seconds: number): string {
  return stages.map(({ stage, startMs, endMs }) => phases[stage].repeat((endMs - startMs) / 1000 / seconds)).join("");
}

function readinessOf(day: PlannedDay) {
  return {
    contributors: { body_temperature: 90, hrv_balance: 80, previous_night: day.sleep.score, resting_heart_rate: 85 },
    score: day.readiness,
    temperature_deviation: day.temperatureDelta,
    temperature_trend_deviation: 0,
  };
}

function dailySleep(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const contributors = { deep_sleep: 80, efficiency: 85, latency: 75, rem_sleep: 80, restfulness: 70, timing: 90 };
  return {
    id: documentId(plan, "daily_sleep", day),
    contributors: { ...contributors, total_sleep: 82 },
    day: day.date,
    score: day.sleep.score,
    timestamp: localTime(day.startMs, day.offsetS),
  };
}

function dailyReadiness(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const id = documentId(plan, "daily_readiness", day);
  return { id, ...readinessOf(day), day: day.date, timestamp: localTime(day.startMs, day.offsetS) };
}

function dailyActivity(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const seconds = { low: day.lowMinutes * 60, medium: day.mediumMinutes * 60, high: day.highMinutes * 60 };
  // Oura's activity day starts at 4:00.
  const timestamp = localTime(plan.zone.instant(day.day, 240), plan.zone.offsetS(plan.zone.instant(day.day, 240)));
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

function dailyOxygen(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const id = documentId(plan, "daily_spo2", day);
  return { id, breathing_disturbance_index: 2, day: day.date, spo2_percentage: { average: day.oxygenPercent } };
}

function vo2Max(plan: PersonPlan, day: PlannedDay): OuraDocument {
  const timestamp = localTime(day.startMs, day.offsetS);
  return { id: documentId(plan, "vO2_max", day), day: day.date, timestamp, vo2_max: day.vo2Max };
}

function workoutDocument(plan: PersonPlan, day: PlannedDay, workout: PlannedWorkout): OuraDocument {
  const { distanceM } = totalsOf(workout);
  return {
    id: documentId(plan, "workout", day),
    activity: activities[workout.sport.slug],
    calories: workout.kcal,
    day: day.date,
    distance: distanceM > 0 ? distanceM : null,
    end_datetime: localTime(workout.endMs, workout.offsetS),
    intensity: "moderate",
    label: null,
    source: "confirmed",
    start_datetime: localTime(workout.startMs, workout.offsetS),
  };
}
