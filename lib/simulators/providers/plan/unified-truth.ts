import { formatInstant } from "../../../domain/timeseries/instant.ts";
import type { PersonPlan, PlannedDay, PlannedReading, PlannedSpan } from "./person-plan.ts";
import { GRID_MS, meanOfNight, type PlannedSleep, type Stage, secondsIn } from "./planned-sleep.ts";
import { type PlannedWorkout, totalsOf } from "./planned-workout.ts";

/** An expected record of the unified model. */
export type TruthRecord = Readonly<Record<string, unknown>>;

/** The records that a connector should produce, by resource of the unified model. */
export type Truth = Readonly<Record<string, readonly TruthRecord[]>>;

/** Hypnogram codes of the unified model. */
const stageCodes: Readonly<Record<Stage, number>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** The activity of a day with all fields; providers report a part of them. */
export function activityTruth(day: PlannedDay) {
  return {
    calendar_date: day.date,
    steps: day.steps,
    distance: day.distanceM,
    calories_active: day.activeKcal,
    calories_total: day.activeKcal + day.basalKcal,
    low: day.lowMinutes,
    medium: day.mediumMinutes,
    high: day.highMinutes,
    floors_climbed: day.floors,
  };
}

/** The sleep summary of a night with all fields. */
export function sleepTruth(sleep: PlannedSleep, day: PlannedDay) {
  const awake = secondsIn(sleep, "awake");
  const duration = (sleep.endMs - sleep.startMs) / 1000;
  return {
    calendar_date: day.date,
    bedtime_start: formatInstant(sleep.startMs),
    bedtime_stop: formatInstant(sleep.endMs),
    timezone_offset: sleep.offsetS,
    type: "long_sleep",
    duration,
    total: duration - awake,
    awake,
    light: secondsIn(sleep, "light"),
    rem: secondsIn(sleep, "rem"),
    deep: secondsIn(sleep, "deep"),
    latency: sleep.latencyS,
    efficiency: Math.round((100 * (duration - awake)) / duration),
    score: sleep.score,
    hr_lowest: Math.min(...sleep.bpm),
    hr_average: meanOfNight(sleep.bpm),
    average_hrv: meanOfNight(sleep.hrvMs),
    respiratory_rate: sleep.breathsPerMinute,
  };
}

/** The workout summary with all fields except `provider_id`. */
export function workoutTruth(workout: PlannedWorkout) {
  const { seconds, distanceM, averageBpm, maxBpm, zonesS, ...more } = totalsOf(workout);
  const isMoving = distanceM > 0;
  return {
    time_start: formatInstant(workout.startMs),
    time_end: formatInstant(workout.endMs),
    timezone_offset: workout.offsetS,
    sport: { name: workout.sport.name, slug: workout.sport.slug },
    calories: workout.kcal,
    distance: isMoving ? distanceM : null,
    average_hr: averageBpm,
    max_hr: maxBpm,
    hr_zones: zonesS,
    moving_time: seconds,
    average_speed: isMoving ? workout.sport.metresPerSecond : null,
    max_speed: isMoving ? workout.sport.metresPerSecond : null,
    total_elevation_gain: isMoving ? more.elevationGainM : null,
    elev_high: isMoving ? more.highestM : null,
    elev_low: isMoving ? more.lowestM : null,
    average_watts: more.averageWatts,
    max_watts: more.maxWatts,
  };
}

/** The workout stream with all fields except `provider_id`. */
export function streamTruth({ points, sport }: PlannedWorkout) {
  const isMoving = sport.metresPerSecond > 0;
  const column = <Value>(has: boolean, values: Value[]): Value[] => (has ? values : []);
  return {
    time: points.map(({ atMs }) => atMs / 1000),
    heartrate: points.map(({ bpm }) => bpm),
    distance: column(
      isMoving,
      points.map(({ distanceM }) => distanceM),
    ),
    altitude: column(
      isMoving,
      points.map(({ altitudeM }) => altitudeM),
    ),
    lat: column(
      isMoving,
      points.map(({ latitude }) => latitude),
    ),
    lng: column(
      isMoving,
      points.map(({ longitude }) => longitude),
    ),
    cadence: column(
      isMoving,
      points.map(({ cadence }) => cadence),
    ),
    velocity_smooth: column(
      isMoving,
      points.map(() => sport.metresPerSecond),
    ),
    power: column(
      sport.hasPower,
      points.map(({ watts }) => watts),
    ),
  };
}

/** The body summary of a day, measured in the morning. */
export function bodyTruth(day: PlannedDay) {
  return { calendar_date: day.date, weight: day.weightG / 1000, fat: day.fatPercent };
}

export function profileTruth({ heightCm, birthYear, sex }: PersonPlan) {
  return { height: heightCm, birth_date: `${birthYear}-06-15`, gender: sex, sex };
}

/** Converts readings to samples at instants. */
export function pointTruth(readings: readonly PlannedReading[]): TruthRecord[] {
  return readings.map(({ atMs, value }) => ({ timestamp: formatInstant(atMs), value }));
}

/** Converts intervals to interval samples. */
export function spanTruth(spans: readonly PlannedSpan[]): TruthRecord[] {
  return spans.map(({ startMs, endMs, value }) => ({
    start: formatInstant(startMs),
    end: formatInstant(endMs),
    value,
  }));
}

/** Converts the stages of a night to hypnogram samples. */
export function hypnogramTruth({ stages }: PlannedSleep): TruthRecord[] {
  return spanTruth(stages.map(({ stage, startMs, endMs }) => ({ startMs, endMs, value: stageCodes[stage] })));
}

/** Converts values every 5 minutes of a night to samples. */
export function nightTruth(sleep: PlannedSleep, values: readonly number[]): TruthRecord[] {
  return pointTruth(values.map((value, step) => ({ atMs: sleep.startMs + step * GRID_MS, value })));
}

/** Omits fields that a provider does not report. */
export function without(record: TruthRecord, ...names: readonly string[]): TruthRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Picks the fields that a provider reports. */
export function only(record: TruthRecord, ...names: readonly string[]): TruthRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
