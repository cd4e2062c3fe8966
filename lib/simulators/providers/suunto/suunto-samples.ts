import { formatLocalTime } from "../base/local-time.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { roundedMean, SAMPLE_INTERVAL_MS, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { sleepId } from "./suunto-expected-records.ts";

const JOULES_PER_KCAL = 4_184;

/** A sample and its time, epoch ms. */
export interface SuuntoSample {
  readonly atMs: number;
  readonly timestamp: string;
  readonly entryData: Readonly<Record<string, unknown>>;
}

/** The sample of a night: durations in seconds, the oxygen saturation as a fraction. */
export function toSleepSample({ zone }: SyntheticPerson, day: SyntheticDay): SuuntoSample {
  const { sleep } = day;
  const local = (ms: number) => formatLocalTime(ms, zone.offsetS(ms));
  const entryData = {
    SleepId: sleepId(day),
    DateTime: local(sleep.startMs),
    BedtimeStart: local(sleep.startMs),
    BedtimeEnd: local(sleep.endMs),
    Duration: (sleep.endMs - sleep.startMs) / 1000,
    DeepSleepDuration: secondsInStage(sleep, "deep"),
    LightSleepDuration: secondsInStage(sleep, "light"),
    REMSleepDuration: secondsInStage(sleep, "rem"),
    SleepOnsetLatencyDuration: sleep.latencyS,
    WakeAfterSleepOnsetDuration: secondsInStage(sleep, "awake") - sleep.latencyS,
    WakeBeforeOffBedDuration: 0,
    SleepQualityScore: sleep.score,
    HRAvg: roundedMean(sleep.bpm),
    HRMin: Math.min(...sleep.bpm),
    AvgHRV: roundedMean(sleep.hrvMs),
    AvgHRVSampleCount: sleep.hrvMs.length,
    MaxSpO2: day.oxygenPercent / 100,
    IsNap: false,
  };
  return { atMs: sleep.startMs, timestamp: local(sleep.startMs), entryData };
}

/** The samples of a day every five minutes up to an instant. Steps and energy (J) are those of a quarter of an hour. */
export function listActivitySamples(person: SyntheticPerson, day: SyntheticDay, nowMs: number): SuuntoSample[] {
  const nights = selectAvailableData([day, person.day(day.day + 1)], nowMs).nights;
  const quarters = person.steps(day);
  const joules = (day.activeKcal * JOULES_PER_KCAL) / quarters.length;
  const readings = person.heartRate(day).filter(({ atMs }) => atMs <= nowMs);
  return readings.map(({ atMs, value }) => {
    const quarter = quarters.find(({ startMs, endMs }) => startMs === atMs && endMs <= nowMs);
    const night = nights.find(({ sleep }) => sleep.startMs <= atMs && atMs < sleep.endMs);
    const ended = nights.find(({ sleep }) => sleep.endMs === atMs);
    const entryData = {
      HR: value,
      ...(quarter ? { StepCount: quarter.value, EnergyConsumption: joules } : {}),
      ...(night ? { HRV: night.sleep.hrvMs[(atMs - night.sleep.startMs) / SAMPLE_INTERVAL_MS] } : {}),
      ...(ended ? { SpO2: ended.oxygenPercent / 100 } : {}),
    };
    return { atMs, timestamp: formatLocalTime(atMs, person.zone.offsetS(atMs)), entryData };
  });
}
