import { localDate } from "../../domain/summaries/session.ts";
import { formatUtc } from "../format-utc.ts";
import { minutesToSeconds, roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import type { Exercise, IntervalValue, SampleValue, Sleep } from "./replies.ts";

const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = { DEEP: 1, LIGHT: 2, REM: 3, AWAKE: 4 };

/** Google's names of sports that differ from the unified model. */
const sports: Readonly<Record<string, string>> = {
  BIKING: "cycling",
  OUTDOOR_BIKE: "cycling",
  MOUNTAIN_BIKE: "mountain biking",
  STATIONARY_BIKE: "indoor cycling",
  SPINNING: "indoor cycling",
  ELECTRIC_BIKE: "e biking",
  HAND_CYCLING: "handcycling",
  TRAIL_RUN: "trail running",
  TREADMILL: "treadmill running",
};

/** Maps an interval sample. @param factor from Google's unit to the unified unit. */
export const toInterval =
  (factor = 1) =>
  ({ startTime, startUtcOffset, endTime, value }: IntervalValue) => ({
    start: startTime,
    end: endTime,
    timezone_offset: startUtcOffset ?? null,
    value: value * factor,
  });

/** Maps a sample at an instant. @param factor from Google's unit to the unified unit. */
export const toSample =
  (factor = 1) =>
  ({ physicalTime, utcOffset, value }: SampleValue) => ({
    timestamp: physicalTime,
    timezone_offset: utcOffset ?? null,
    value: value * factor,
  });

/** The local date of an instant. */
export const localDay = (time: string, offsetS: number | null | undefined) =>
  localDate(Date.parse(time), offsetS ?? null);

/** Sums interval values by the local date of their start. */
export function sumByDay(spans: readonly IntervalValue[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { startTime, startUtcOffset, value } of spans) {
    const day = localDay(startTime, startUtcOffset);
    sums.set(day, (sums.get(day) ?? 0) + value);
  }
  return sums;
}

/** Maps a sleep session. Converts minutes to seconds. @param provider_id resource name of the data point. */
export function toNight(provider_id: string, { interval, stages: reportedStages, metadata, summary }: Sleep) {
  const [startMs, endMs] = [Date.parse(interval.startTime), Date.parse(interval.endTime)];
  const stages = mergeStages(reportedStages.map(toStage));
  const secondsIn = (code: number) =>
    Math.round(stages.reduce((sum, one) => sum + (one.code === code ? one.endMs - one.startMs : 0), 0) / 1000);
  const total = minutesToSeconds(summary?.minutesAsleep);
  const offset = interval.endUtcOffset ?? null;
  const sleep = {
    provider_id,
    calendar_date: localDate(endMs, offset),
    bedtime_start: formatUtc(startMs),
    bedtime_stop: formatUtc(endMs),
    timezone_offset: offset,
    ...(metadata?.nap ? { type: "acknowledged_nap" } : {}),
    ...(total === null ? {} : { total }),
    awake: minutesToSeconds(summary?.minutesAwake) ?? secondsIn(4),
    light: secondsIn(2),
    rem: secondsIn(3),
    deep: secondsIn(1),
    latency: minutesToSeconds(summary?.minutesToFallAsleep),
    // Stages may follow while Google still processes the sleep.
    ...(metadata?.processed === false ? { state: "tentative" } : {}),
  };
  const hypnogram = toHypnogram(stages, interval.startUtcOffset ?? null);
  return {
    sleep: [sleep],
    sleep_cycle: toSleepCycle(startMs, endMs, stages, offset),
    sleep_stream: hypnogram.length === 0 ? [] : [{ provider_id, hypnogram }],
  };
}

function toStage({ startTime, endTime, type }: Sleep["stages"][number]): SleepStageInterval {
  return { code: stageCodes[type] ?? -1, startMs: Date.parse(startTime), endMs: Date.parse(endTime) };
}

/** Maps an exercise. Converts millimetres to metres. @param provider_id resource name of the data point. */
export function toWorkout(provider_id: string, { interval, metricsSummary, ...done }: Exercise) {
  const metres = (millimetres: number | null | undefined) => (millimetres == null ? null : millimetres / 1000);
  return {
    provider_id,
    title: done.displayName ?? null,
    time_start: interval.startTime,
    time_end: interval.endTime,
    timezone_offset: interval.startUtcOffset ?? null,
    sport: parseSport(sports[done.exerciseType ?? ""] ?? done.exerciseType ?? ""),
    calories: metricsSummary?.caloriesKcal ?? null,
    distance: metres(metricsSummary?.distanceMillimeters),
    average_hr: roundOrNull(metricsSummary?.averageHeartRateBeatsPerMinute),
    moving_time: roundOrNull(done.activeDuration),
    average_speed: metres(metricsSummary?.averageSpeedMillimetersPerSecond),
    total_elevation_gain: metres(metricsSummary?.elevationGainMillimeters),
    steps: roundOrNull(metricsSummary?.steps),
  };
}
