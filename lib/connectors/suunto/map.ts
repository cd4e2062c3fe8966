import { DAY_MS } from "../../domain/shared/durations.ts";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { TimeWindow } from "../connector.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import type { ActivitySample, SleepSample, Workout } from "./replies.ts";
import { sportOfActivity } from "./sports.ts";

/** Maps a workout: the units are those of the unified model. Zeros mean not measured. */
export function toWorkout(done: Workout) {
  const moved = (value: number | null | undefined) => (done.totalDistance ? (value ?? null) : null);
  return {
    provider_id: done.workoutKey,
    time_start: formatUtc(done.startTime),
    time_end: formatUtc(done.stopTime),
    timezone_offset: done.timeOffsetInMinutes == null ? null : done.timeOffsetInMinutes * 60,
    sport: sportOfActivity(done.activityId),
    moving_time: roundOrNull(done.totalTime),
    distance: moved(done.totalDistance),
    calories: done.energyConsumption || null,
    steps: roundOrNull(done.stepCount || null),
    total_elevation_gain: moved(done.totalAscent),
    elev_high: moved(done.maxAltitude),
    elev_low: moved(done.minAltitude),
    average_speed: moved(done.avgSpeed),
    max_speed: moved(done.maxSpeed),
    average_hr: roundOrNull(done.hrdata?.workoutAvgHR || null),
    max_hr: roundOrNull(done.hrdata?.workoutMaxHR || null),
  };
}

/** Maps a night or nap. A nap has no stages. */
export function toSleep({ entryData: night }: SleepSample) {
  const stop = parseInstant(night.BedtimeEnd);
  const awake = [night.SleepOnsetLatencyDuration, night.WakeAfterSleepOnsetDuration, night.WakeBeforeOffBedDuration];
  return {
    ...(night.SleepId == null ? {} : { provider_id: String(night.SleepId) }),
    bedtime_start: night.BedtimeStart,
    bedtime_stop: night.BedtimeEnd,
    timezone_offset: stop?.offsetS ?? null,
    // The service tells long from short nights by the time asleep.
    ...(night.IsNap ? { type: "acknowledged_nap" } : {}),
    ...(night.Duration == null ? {} : { duration: Math.round(night.Duration) }),
    awake: Math.round(awake.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0)),
    deep: Math.round(night.DeepSleepDuration ?? 0),
    light: Math.round(night.LightSleepDuration ?? 0),
    rem: Math.round(night.REMSleepDuration ?? 0),
    latency: roundOrNull(night.SleepOnsetLatencyDuration),
    score: roundOrNull(night.SleepQualityScore || null),
    hr_average: roundOrNull(night.HRAvg || null),
    hr_lowest: roundOrNull(night.HRMin || null),
    average_hrv: night.AvgHRV || null,
  };
}

/** Maps the measurements of samples. Converts oxygen saturations from fractions to per cent. */
export function toMeasurements(samples: readonly ActivitySample[]) {
  const pick = (read: (data: ActivitySample["entryData"]) => number | null | undefined) =>
    samples.flatMap(({ timestamp, entryData }) => {
      const value = read(entryData);
      return value ? [{ timestamp, value }] : [];
    });
  return {
    heartrate: pick(({ HR }) => HR),
    hrv: pick(({ HRV }) => HRV),
    blood_oxygen: pick(({ SpO2 }) => (SpO2 == null ? null : Math.round(SpO2 * 1000) / 10)),
  };
}

/**
 * Sums up the steps of local days. Only days of which all samples so far are in `fetched` count: a part of a day would
 * replace its sum.
 */
export function toDays(samples: readonly ActivitySample[], fetched: TimeWindow, nowMs: number) {
  const sums = new Map<string, { steps: number; startMs: number }>();
  for (const { timestamp, entryData } of samples) {
    const at = parseInstant(timestamp);
    if (!at || entryData.StepCount == null) continue;
    const date = formatUtc(at.ms + (at.offsetS ?? 0) * 1000).slice(0, 10);
    const before = sums.get(date) ?? { steps: 0, startMs: Date.parse(date) - (at.offsetS ?? 0) * 1000 };
    sums.set(date, { ...before, steps: before.steps + entryData.StepCount });
  }
  return [...sums].flatMap(([calendar_date, { steps, startMs }]) => {
    const isWhole = startMs >= fetched.startMs && Math.min(startMs + DAY_MS, nowMs) <= fetched.endMs;
    return isWhole ? [{ calendar_date, steps: Math.round(steps) }] : [];
  });
}
