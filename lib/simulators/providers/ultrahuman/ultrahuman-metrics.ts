import { knownOf, within } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay, PlannedReading } from "../plan/person-plan.ts";
import { GRID_MS, type PlannedSleep, type Stage, secondsIn } from "../plan/planned-sleep.ts";
import {
  activityTruth,
  hypnogramTruth,
  nightTruth,
  only,
  pointTruth,
  sleepTruth,
  type Truth,
} from "../plan/unified-truth.ts";

/** A metric of a day, and its scope. */
export interface Metric {
  readonly scope: "ring_data" | "cgm_data";
  readonly type: string;
  readonly object: object;
}

const MG_DL = 18.0156;
const stageTypes: Readonly<Record<Stage, string>> = {
  awake: "awake",
  light: "light_sleep",
  deep: "deep_sleep",
  rem: "rem_sleep",
};

/** All metrics of a day that are available at an instant. */
export function metricsOf(plan: PersonPlan, day: PlannedDay, nowMs: number): Metric[] {
  const { nights, over } = knownOf([day], nowMs);
  const soFar = (readings: readonly PlannedReading[]) =>
    within(readings, day.startMs, nowMs + 1).map(({ atMs, value }) => ({ value, timestamp: atMs / 1000 }));
  const ring = (type: string, title: string, content: object): Metric => ({
    scope: "ring_data",
    type,
    object: { day_start_timestamp: day.startMs / 1000, title, ...content },
  });
  const night = nights.flatMap(({ sleep }) => [
    ring("hrv", "HRV", { values: soFar(ofNight(sleep, sleep.hrvMs)), unit: "ms" }),
    ring("temp", "Skin Temperature", {
      values: soFar([{ atMs: sleep.endMs, value: 33 + day.temperatureDelta }]),
      unit: "°C",
    }),
    ring("spo2", "SpO2", { values: soFar([{ atMs: sleep.endMs, value: day.oxygenPercent }]), unit: "%" }),
    ring("night_rhr", "Resting HR", { avg: day.restingBpm, values: [] }),
    ring("Sleep", "Sleep", sleepObject(sleep)),
    ring("recovery_index", "Recovery", { value: day.readiness }),
  ]);
  const ended = over.map(() => ring("vo2_max", "VO2 Max", { value: day.vo2Max }));
  const steps = plan.steps(day).map(({ endMs, value }) => ({ atMs: endMs, value }));
  return [
    ring("hr", "Heart Rate", { values: soFar(plan.heartRate(day)), unit: "BPM" }),
    ring("steps", "Steps", { values: soFar(steps), subtitle: "Average" }),
    ...night,
    ...ended,
    {
      scope: "cgm_data",
      type: "glucose",
      object: { day_start_timestamp: day.startMs / 1000, values: soFar(plan.glucose(day)), unit: "mg/dL" },
    },
  ];
}

function ofNight({ startMs }: PlannedSleep, values: readonly number[]): PlannedReading[] {
  return values.map((value, step) => ({ atMs: startMs + step * GRID_MS, value }));
}

function sleepObject(sleep: PlannedSleep) {
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const asleep = inBed - secondsIn(sleep, "awake");
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
      stage_time: secondsIn(sleep, stage),
      percentage: Math.round((100 * secondsIn(sleep, stage)) / inBed),
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
export function ultrahumanTruth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth {
  const { nights, over } = knownOf(days, nowMs);
  const soFar = (readings: readonly PlannedReading[]) => readings.filter(({ atMs }) => atMs <= nowMs);
  return {
    activity: over.map((day) => only(activityTruth(day), "calendar_date", "steps")),
    sleep: nights.map((day) => ({
      ...only(
        sleepTruth(day.sleep, day),
        "calendar_date",
        "bedtime_start",
        "bedtime_stop",
        "duration",
        "total",
        "awake",
        "light",
        "rem",
        "deep",
        "efficiency",
        "score",
      ),
      recovery_readiness_score: day.readiness,
      hr_resting: day.restingBpm,
      skin_temperature: 33 + day.temperatureDelta,
    })),
    hypnogram: nights.flatMap(({ sleep }) => hypnogramTruth(sleep)),
    heartrate: pointTruth(soFar(days.flatMap((day) => plan.heartRate(day)))),
    hrv: nights.flatMap(({ sleep, startMs }) =>
      nightTruth(sleep, sleep.hrvMs).filter(({ timestamp }) => Date.parse(String(timestamp)) >= startMs),
    ),
    glucose: pointTruth(
      soFar(days.flatMap((day) => plan.glucose(day))).map(({ atMs, value }) => ({ atMs, value: value / MG_DL })),
    ),
    vo2_max: over.map((day) => ({ calendar_date: day.date, value: day.vo2Max })),
  };
}
