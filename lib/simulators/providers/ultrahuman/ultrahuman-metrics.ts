import { selectAvailableData, selectReadings } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedGlucoseSamples,
  expectedHypnogram,
  expectedNightSamples,
  expectedPointSamples,
  expectedSleep,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson, SyntheticReading } from "../synthetic-data/synthetic-person.ts";
import {
  SAMPLE_INTERVAL_MS,
  type SleepStage,
  type SyntheticSleep,
  secondsInStage,
} from "../synthetic-data/synthetic-sleep.ts";

/** A metric of a day, and its scope. */
export interface Metric {
  readonly scope: "ring_data" | "cgm_data";
  readonly type: string;
  readonly object: object;
}

const stageTypes: Readonly<Record<SleepStage, string>> = {
  awake: "awake",
  light: "light_sleep",
  deep: "deep_sleep",
  rem: "rem_sleep",
};

/** All metrics of a day that are available at an instant. */
export function listDayMetrics(person: SyntheticPerson, day: SyntheticDay, nowMs: number): Metric[] {
  const { nights, over } = selectAvailableData([day], nowMs);
  const soFar = (readings: readonly SyntheticReading[]) =>
    selectReadings(readings, day.startMs, nowMs + 1).map(({ atMs, value }) => ({ value, timestamp: atMs / 1000 }));
  const ring = (type: string, title: string, content: object): Metric => ({
    scope: "ring_data",
    type,
    object: { day_start_timestamp: day.startMs / 1000, title, ...content },
  });
  const night = nights.flatMap(({ sleep }) => [
    ring("hrv", "HRV", { values: soFar(nightReadings(sleep, sleep.hrvMs)), unit: "ms" }),
    ring("temp", "Skin Temperature", {
      values: soFar([{ atMs: sleep.endMs, value: 33 + day.temperatureDelta }]),
      unit: "°C",
    }),
    ring("spo2", "SpO2", { values: soFar([{ atMs: sleep.endMs, value: day.oxygenPercent }]), unit: "%" }),
    ring("night_rhr", "Resting HR", { avg: day.restingBpm, values: [] }),
    ring("Sleep", "Sleep", toSleepObject(sleep)),
    ring("recovery_index", "Recovery", { value: day.readiness }),
  ]);
  const ended = over.map(() => ring("vo2_max", "VO2 Max", { value: day.vo2Max }));
  const steps = person.steps(day).map(({ endMs, value }) => ({ atMs: endMs, value }));
  return [
    ring("hr", "Heart Rate", { values: soFar(person.heartRate(day)), unit: "BPM" }),
    ring("steps", "Steps", { values: soFar(steps), subtitle: "Average" }),
    ...night,
    ...ended,
    {
      scope: "cgm_data",
      type: "glucose",
      object: { day_start_timestamp: day.startMs / 1000, values: soFar(person.glucose(day)), unit: "mg/dL" },
    },
  ];
}

function nightReadings({ startMs }: SyntheticSleep, values: readonly number[]): SyntheticReading[] {
  return values.map((value, step) => ({ atMs: startMs + step * SAMPLE_INTERVAL_MS, value }));
}

function toSleepObject(sleep: SyntheticSleep) {
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const asleep = inBed - secondsInStage(sleep, "awake");
  const stages = ["deep", "light", "rem", "awake"] as const;
  return {
    bedtime_start: sleep.startMs / 1000,
    bedtime_end: sleep.endMs / 1000,
    score: { title: "Sleep score", score: sleep.score },
    quick_metrics: [
      { title: "Total sleep", type: "total_sleep", unit: "s", value: asleep },
      { title: "Time in bed", type: "time_in_bed", unit: "s", value: inBed },
      { title: "Efficiency", type: "sleep_efic", unit: "%", value: Math.round((100 * asleep) / inBed) },
    ],
    sleep_stages: stages.map((stage) => ({
      type: stageTypes[stage],
      stage_time: secondsInStage(sleep, stage),
      percentage: Math.round((100 * secondsInStage(sleep, stage)) / inBed),
    })),
    sleep_graph: {
      title: "Sleep Stages",
      data: sleep.stages.map(({ stage, startMs, endMs }) => ({
        start: startMs / 1000,
        end: endMs / 1000,
        type: stageTypes[stage],
      })),
    },
  };
}

/** Expected records of ring and sensor. Values of a night before midnight are in no day's list. */
export function expectedUltrahumanRecords(
  plan: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over } = selectAvailableData(days, nowMs);
  const soFar = (readings: readonly SyntheticReading[]) => readings.filter(({ atMs }) => atMs <= nowMs);
  return {
    activity: over.map((day) => pickFields(expectedActivity(day), "calendar_date", "steps")),
    sleep: nights.map((day) => ({
      ...omitFields(expectedSleep(day.sleep, day), ...unavailableSleepFields),
      recovery_readiness_score: day.readiness,
      hr_resting: day.restingBpm,
      skin_temperature: 33 + day.temperatureDelta,
    })),
    hypnogram: nights.flatMap(({ sleep }) => expectedHypnogram(sleep)),
    heartrate: expectedPointSamples(soFar(days.flatMap((day) => plan.heartRate(day)))),
    hrv: nights.flatMap(({ sleep, startMs }) =>
      expectedNightSamples(sleep, sleep.hrvMs).filter(({ timestamp }) => Date.parse(String(timestamp)) >= startMs),
    ),
    glucose: expectedGlucoseSamples(soFar(days.flatMap((day) => plan.glucose(day)))),
    vo2_max: over.map((day) => ({ calendar_date: day.date, value: day.vo2Max })),
  };
}

/** Sleep fields that the ring does not report. */
const unavailableSleepFields = [
  "timezone_offset",
  "type",
  "latency",
  "hr_lowest",
  "hr_average",
  "average_hrv",
  "respiratory_rate",
];
