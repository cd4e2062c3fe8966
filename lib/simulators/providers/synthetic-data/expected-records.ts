import { formatInstant } from "../../../domain/shared/instant.ts";
import type { SyntheticDay, SyntheticInterval, SyntheticPerson, SyntheticReading } from "./synthetic-person.ts";
import {
  roundedMean,
  SAMPLE_INTERVAL_MS,
  type SleepStage,
  type SyntheticSleep,
  secondsInStage,
} from "./synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "./synthetic-workout.ts";

/** An expected record of the unified model. */
export type ExpectedRecord = Readonly<Record<string, unknown>>;

/** The records that a connector should produce, by resource of the unified model. */
export type ExpectedRecords = Readonly<Record<string, readonly ExpectedRecord[]>>;

/** Conversion factor for glucose: 1 mmol/L is 18.0156 mg/dL. */
const MG_DL_PER_MMOL_L = 18.0156;

/** Hypnogram codes of the unified model. */
const stageCodes: Readonly<Record<SleepStage, number>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** The activity of a day with all fields; providers report a part of them. */
export function expectedActivity(day: SyntheticDay) {
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
export function expectedSleep(sleep: SyntheticSleep, day: SyntheticDay) {
  const awake = secondsInStage(sleep, "awake");
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
    light: secondsInStage(sleep, "light"),
    rem: secondsInStage(sleep, "rem"),
    deep: secondsInStage(sleep, "deep"),
    latency: sleep.latencyS,
    efficiency: Math.round((100 * (duration - awake)) / duration),
    score: sleep.score,
    hr_lowest: Math.min(...sleep.bpm),
    hr_average: roundedMean(sleep.bpm),
    average_hrv: roundedMean(sleep.hrvMs),
    respiratory_rate: sleep.breathsPerMinute,
  };
}

/** The workout summary with all fields except `provider_id`. */
export function expectedWorkout(workout: SyntheticWorkout) {
  const { seconds, distanceM, averageBpm, maxBpm, zonesS, ...more } = summarizeWorkout(workout);
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

/** Fields of a workout that every provider reports. */
const commonWorkoutFields = ["time_start", "time_end", "timezone_offset", "sport", "calories", "distance"];

/** The workout summary with the common fields and further fields that a provider reports. */
export const expectedWorkoutFields = (workout: SyntheticWorkout, ...names: readonly string[]): ExpectedRecord =>
  pickFields(expectedWorkout(workout), ...commonWorkoutFields, ...names);

/** The workout stream with all fields except `provider_id`. */
export function expectedWorkoutStream({ points, sport }: SyntheticWorkout) {
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
export function expectedBody(day: SyntheticDay) {
  return { calendar_date: day.date, weight: day.weightG / 1000, fat: day.fatPercent };
}

export function expectedProfile({ heightCm, birthYear, sex }: SyntheticPerson) {
  return { height: heightCm, birth_date: `${birthYear}-06-15`, gender: sex, sex };
}

/** Converts readings to samples at instants. */
export function expectedPointSamples(readings: readonly SyntheticReading[]): ExpectedRecord[] {
  return readings.map(({ atMs, value }) => ({ timestamp: formatInstant(atMs), value }));
}

/** Converts readings in mg/dL to glucose samples in mmol/L. */
export const expectedGlucoseSamples = (readings: readonly SyntheticReading[]): ExpectedRecord[] =>
  expectedPointSamples(readings.map(({ atMs, value }) => ({ atMs, value: value / MG_DL_PER_MMOL_L })));

/** Converts intervals to interval samples. */
export function expectedIntervalSamples(spans: readonly SyntheticInterval[]): ExpectedRecord[] {
  return spans.map(({ startMs, endMs, value }) => ({
    start: formatInstant(startMs),
    end: formatInstant(endMs),
    value,
  }));
}

/** Converts the stages of a night to hypnogram samples. */
export function expectedHypnogram({ stages }: SyntheticSleep): ExpectedRecord[] {
  return expectedIntervalSamples(
    stages.map(({ stage, startMs, endMs }) => ({ startMs, endMs, value: stageCodes[stage] })),
  );
}

/** Converts values every 5 minutes of a night to samples. */
export function expectedNightSamples(sleep: SyntheticSleep, values: readonly number[]): ExpectedRecord[] {
  return expectedPointSamples(
    values.map((value, step) => ({ atMs: sleep.startMs + step * SAMPLE_INTERVAL_MS, value })),
  );
}

/** Omits fields that a provider does not report. */
export function omitFields(record: ExpectedRecord, ...names: readonly string[]): ExpectedRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Picks the fields that a provider reports. */
export function pickFields(record: ExpectedRecord, ...names: readonly string[]): ExpectedRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
