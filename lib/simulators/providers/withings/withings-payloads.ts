import type { DayWithWorkout } from "../synthetic-data/available-data.ts";
import { type SyntheticDay, type SyntheticPerson, TIME_ZONE } from "../synthetic-data/synthetic-person.ts";
import {
  roundedMean,
  SAMPLE_INTERVAL_MS,
  type SleepStage,
  type SyntheticSleep,
  secondsInStage,
} from "../synthetic-data/synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { measurementTimeMs, withingsRecordId } from "./withings-expected-records.ts";

/** A measure; its value is `value * 10^unit`. */
interface Measure {
  readonly value: number;
  readonly type: number;
  readonly unit: number;
}

const states: Readonly<Record<SleepStage, number>> = { awake: 0, light: 1, deep: 2, rem: 3 };
const categories: Readonly<Record<SyntheticWorkout["sport"]["slug"], number>> = {
  walking: 1,
  running: 2,
  cycling: 6,
  strength_training: 16,
};
const DEVICE = {
  deviceid: "892359876fd8805ac45bab078c4828692f0276b1",
  hash_deviceid: "892359876fd8805ac45bab078c4828692f0276b1",
};

/** Measure groups of some days: scale (height, weight, fat), blood pressure cuff, oxygen. */
export function toMeasureGroups(person: SyntheticPerson, days: readonly SyntheticDay[], wanted: readonly number[]) {
  return days.flatMap((day) => {
    const fatG = Math.round((day.weightG * day.fatPercent) / 100);
    const scale: Measure[] = [
      { type: 1, value: day.weightG, unit: -3 },
      { type: 4, value: person.heightCm, unit: -2 },
      { type: 6, value: Math.round(day.fatPercent * 1000), unit: -3 },
      { type: 8, value: fatG, unit: -3 },
      { type: 5, value: day.weightG - fatG, unit: -3 },
    ];
    const cuff: Measure[] = [
      { type: 10, value: day.systolic, unit: 0 },
      { type: 9, value: day.diastolic, unit: 0 },
      { type: 11, value: day.restingBpm, unit: 0 },
    ];
    const oxygen: Measure[] = [{ type: 54, value: day.oxygenPercent, unit: 0 }];
    const groups = { scale, cuff, oxygen };
    return Object.entries(groups).flatMap(([kind, measures]) => {
      const found = measures.filter(({ type }) => wanted.length === 0 || wanted.includes(type));
      return found.length === 0 ? [] : [toMeasureGroup(person, day, kind, found)];
    });
  });
}

function toMeasureGroup(plan: SyntheticPerson, day: SyntheticDay, kind: string, measures: readonly Measure[]) {
  const date = measurementTimeMs(plan, day) / 1000;
  const fixed = { attrib: 0, category: 1, ...DEVICE, model: "Body+", comment: null, timezone: TIME_ZONE };
  const times = { date, created: date, modified: date };
  return {
    grpid: withingsRecordId(plan, kind, day),
    ...fixed,
    ...times,
    measures: measures.map((one) => ({ ...one, algo: 0, fm: 3 })),
  };
}

/** The activity of a day. Durations are seconds. */
export function toActivityPayload(day: SyntheticDay) {
  return {
    date: day.date,
    timezone: TIME_ZONE,
    ...DEVICE,
    brand: 18,
    is_tracker: true,
    steps: day.steps,
    distance: day.distanceM,
    elevation: 3 * day.floors,
    soft: 60 * day.lowMinutes,
    moderate: 60 * day.mediumMinutes,
    intense: 60 * day.highMinutes,
    active: 60 * (day.mediumMinutes + day.highMinutes),
    calories: day.activeKcal,
    totalcalories: day.activeKcal + day.basalKcal,
    modified: day.endMs / 1000,
  };
}

export function toWorkoutPayload(plan: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const { distanceM, averageBpm, maxBpm, elevationGainM } = summarizeWorkout(workout);
  return {
    id: withingsRecordId(plan, "workout", day),
    category: categories[workout.sport.slug],
    timezone: TIME_ZONE,
    model: 93,
    attrib: 0,
    startdate: workout.startMs / 1000,
    enddate: workout.endMs / 1000,
    date: day.date,
    modified: workout.endMs / 1000,
    ...DEVICE,
    data: {
      calories: workout.kcal,
      intensity: 50,
      hr_average: averageBpm,
      hr_min: Math.min(...workout.points.map(({ bpm }) => bpm)),
      hr_max: maxBpm,
      pause_duration: 0,
      ...(distanceM > 0 ? { distance: distanceM, elevation: elevationGainM } : {}),
    },
  };
}

/** The summary of a night. The efficiency is a fraction. */
export function toNightSummary(plan: SyntheticPerson, day: SyntheticDay) {
  const { sleep } = day;
  const awake = secondsInStage(sleep, "awake");
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  return {
    id: withingsRecordId(plan, "sleep", day),
    timezone: TIME_ZONE,
    model: 32,
    model_id: 63,
    hash_deviceid: DEVICE.hash_deviceid,
    startdate: sleep.startMs / 1000,
    enddate: sleep.endMs / 1000,
    date: day.date,
    created: sleep.endMs / 1000,
    modified: sleep.endMs / 1000,
    data: {
      wakeupduration: awake,
      lightsleepduration: secondsInStage(sleep, "light"),
      deepsleepduration: secondsInStage(sleep, "deep"),
      remsleepduration: secondsInStage(sleep, "rem"),
      sleep_latency: sleep.latencyS,
      sleep_efficiency: Math.round((100 * (inBed - awake)) / inBed) / 100,
      total_timeinbed: inBed,
      total_sleep_time: inBed - awake,
      wakeupcount: 1,
      hr_average: roundedMean(sleep.bpm),
      hr_min: Math.min(...sleep.bpm),
      hr_max: Math.max(...sleep.bpm),
      rr_average: sleep.breathsPerMinute,
      sleep_score: sleep.score,
    },
  };
}

/** One segment per stage, with values every 5 minutes by Unix time. */
export function toNightSeries({ sleep }: SyntheticDay, fields: readonly string[]) {
  return sleep.stages.map(({ stage, startMs, endMs }) => ({
    startdate: startMs / 1000,
    enddate: endMs / 1000,
    state: states[stage],
    model: "Sleep Monitor",
    hash_deviceid: DEVICE.hash_deviceid,
    ...(fields.includes("hr") ? { hr: valuesByUnixTime(sleep, sleep.bpm, startMs, endMs) } : {}),
    ...(fields.includes("rmssd") ? { rmssd: valuesByUnixTime(sleep, sleep.hrvMs, startMs, endMs) } : {}),
  }));
}

function valuesByUnixTime({ startMs }: SyntheticSleep, values: readonly number[], fromMs: number, untilMs: number) {
  const first = (fromMs - startMs) / SAMPLE_INTERVAL_MS;
  const found = values.slice(first, (untilMs - startMs) / SAMPLE_INTERVAL_MS);
  return Object.fromEntries(found.map((value, index) => [(fromMs + index * SAMPLE_INTERVAL_MS) / 1000, value]));
}
