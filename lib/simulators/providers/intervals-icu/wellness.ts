import type { SyntheticDay } from "../synthetic-data/synthetic-person.ts";
import { roundedMean, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";

/** The wellness record of a day. Values of the night and of the whole day are null until they have ended. */
export function toWellness({ sleep, ...day }: SyntheticDay, nowMs: number) {
  const after = <Value>(endMs: number, value: Value) => (endMs <= nowMs ? value : null);
  const asleepS = (sleep.endMs - sleep.startMs) / 1000 - secondsInStage(sleep, "awake");
  return {
    id: day.date,
    ctl: 42.5,
    atl: 38.25,
    rampRate: 0.5,
    sportInfo: [],
    updated: new Date(Math.min(day.endMs, nowMs)).toISOString(),
    weight: day.weightG / 1000,
    bodyFat: day.fatPercent,
    abdomen: null,
    restingHR: after(day.endMs, day.restingBpm),
    hrv: after(sleep.endMs, roundedMean(sleep.hrvMs)),
    hrvSDNN: null,
    avgSleepingHR: after(sleep.endMs, roundedMean(sleep.bpm)),
    sleepSecs: after(sleep.endMs, asleepS),
    sleepScore: after(sleep.endMs, sleep.score),
    sleepQuality: null,
    spO2: after(sleep.endMs, day.oxygenPercent),
    respiration: after(sleep.endMs, sleep.breathsPerMinute),
    vo2max: after(day.endMs, day.vo2Max),
    systolic: day.systolic,
    diastolic: day.diastolic,
    steps: after(day.endMs, day.steps),
    readiness: after(sleep.endMs, day.readiness),
    kcalConsumed: null,
    hydration: null,
    hydrationVolume: null,
    bloodGlucose: null,
    comments: null,
    locked: null,
  };
}
